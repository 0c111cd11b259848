// The persons and entities that memories refer to.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["mem-1"]  the memories
// Returns      0..n rows
//   memory_id  STRING
//   kind       STRING  person or entity
//   node       MAP  every property
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
MATCH (m)-[:REFERS_TO]->(n:Person|Entity {user_id: $user_id})
RETURN DISTINCT id AS memory_id, CASE WHEN n:Person THEN 'person' ELSE 'entity' END AS kind, n {.*} AS node
ORDER BY memory_id, node.name_key;
