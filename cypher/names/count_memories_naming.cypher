// How many memories refer to a person or entity.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   node_id  STRING  "per-1"  the person or entity
// Returns      1 row
//   memories  INTEGER
OPTIONAL MATCH (n:Person|Entity {id: $node_id})<-[:REFERS_TO]-(m:Memory {user_id: $user_id}) WHERE n.user_id = $user_id
RETURN count(DISTINCT m) AS memories;
