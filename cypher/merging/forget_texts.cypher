// Removes from a memory's past what another said that went into it and is erased: in its versions and its audit rows.
//
// Access   write
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose memory it is
//   id         STRING  "mem-1"  the memory
//   texts      LIST<STRING>  ["The desk is oak."]  what is not to be kept
//   documents  LIST<STRING>  ["\"The desk is oak.\""]  the same as JSON
// Returns      0..1 rows
//   id  STRING
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
CALL (m) {
    MATCH (m)-[:HAS_VERSION]->(v:Version {user_id: $user_id}) WHERE v.text IN $texts
    DETACH DELETE v
}
CALL (m) {
    MATCH (m)-[:CHANGED]->(c:Change {user_id: $user_id, target_id: $id}) WHERE c.before IN $documents
    SET c.before = null
}
CALL (m) {
    MATCH (m)-[:CHANGED]->(c:Change {user_id: $user_id, target_id: $id}) WHERE c.after IN $documents
    SET c.after = null
}
RETURN m.id AS id;
