// Writes what time's beats changed of memories that this transaction has locked, with their audit rows.
//
// Access   write
// Scope    system
// Params
//   rows  LIST<MAP>  [{user_id: "user-1", id: "mem-1", properties: {state: "dream"}, changes: [{id: "chg-1", action: "state", at: datetime("2031-01-01T00:00Z")}]}]  memories
// Returns      one row for each memory found
//   id  STRING
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.user_id = row.user_id
SET m += row.properties
CALL (row, m) {
    UNWIND row.changes AS change
    CREATE (m)-[:CHANGED {user_id: row.user_id}]->(c:Change {user_id: row.user_id, target_id: row.id})
    SET c += change
}
RETURN m.id AS id;
