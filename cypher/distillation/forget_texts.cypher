// Removes what a memory said before: its versions, and the texts in its audit rows.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   id       STRING  "mem-1"  the memory
// Returns      0..1 rows
//   id  STRING
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
CALL (m) {
    MATCH (m)-[:HAS_VERSION]->(v:Version {user_id: $user_id})
    DETACH DELETE v
}
CALL (m) {
    MATCH (m)-[:CHANGED]->(c:Change {user_id: $user_id, target_id: $id}) WHERE c.field = 'text'
    SET c.before = null, c.after = null, c.reason = null
}
RETURN m.id AS id;
