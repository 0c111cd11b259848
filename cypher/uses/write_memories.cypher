// Writes what changed of memories that this transaction has locked, with their audit rows.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   rows     LIST<MAP>  [{id: "mem-1", properties: {confidence: 0.9}, changes: [{id: "chg-1", action: "confirm", at: datetime("2031-01-01T00:00Z")}]}]  memories
// Returns      one row for each memory found
//   id  STRING
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.user_id = $user_id
SET m += row.properties
CALL (row, m) {
    UNWIND row.changes AS change
    CREATE (m)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: row.id})
    SET c += change
}
RETURN m.id AS id;
