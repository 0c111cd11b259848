// Ends memories that another takes the place of: what changes of them, and the keys that only what is current holds.
//
// The caller has locked them. Their successors are joined by ledger/join_successors in the same transaction.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   rows     LIST<MAP>  [{id: "mem-1", properties: {invalid_at: datetime("2031-01-01T00:00Z")}, changes: [{id: "chg-1", action: "supersede", at: datetime("2031-01-02T00:00Z")}]}]  memories
// Returns      one row for each memory found
//   id  STRING
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.user_id = $user_id
SET m += row.properties
REMOVE m.current_key, m.head_key
CALL (row, m) {
    UNWIND row.changes AS change
    CREATE (m)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: row.id})
    SET c += change
}
RETURN m.id AS id;
