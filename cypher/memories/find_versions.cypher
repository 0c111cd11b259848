// The earlier texts of memories, the oldest first.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["mem-1"]  the memories
// Returns      0..n rows
//   memory_id  STRING
//   version    MAP  every property
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
MATCH (m)-[:HAS_VERSION]->(v:Version {user_id: $user_id})
RETURN id AS memory_id, v {.*} AS version ORDER BY memory_id, v.until;
