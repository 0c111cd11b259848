// The topics that a memory may have given to priority snapshots: the names it refers to, and the topic it decides.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memory it is
//   id       STRING  "mem-1"  the memory
// Returns      0..1 rows
//   topics  LIST<STRING>  folded
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
OPTIONAL MATCH (m)-[:REFERS_TO]-(n:Person|Entity {user_id: $user_id})
WITH m, collect(DISTINCT n.name_key) AS names
RETURN names + CASE WHEN m.topic_key IS NULL THEN [] ELSE [m.topic_key] END AS topics;
