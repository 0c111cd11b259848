// One page of the memories that refer to a person or entity, newest first, expired ones too.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   node_id   STRING  "per-1"  the person or entity
//   after_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  created_at of the last seen; null: from the beginning
//   after_id  STRING  "mem-1"  its id
//   limit     INTEGER  21  most rows returned
// Returns      0..limit rows
//   memory  MAP  every property but the vectors
MATCH (n:Person|Entity {id: $node_id}) WHERE n.user_id = $user_id
MATCH (n)<-[:REFERS_TO]-(m:Memory {user_id: $user_id})
WHERE $after_at IS NULL OR m.created_at < $after_at OR (m.created_at = $after_at AND m.id < $after_id)
WITH DISTINCT m
ORDER BY m.created_at DESC, m.id DESC LIMIT $limit
RETURN m {.*, embedding: null, context_embedding: null} AS memory;
