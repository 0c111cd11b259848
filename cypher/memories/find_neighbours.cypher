// The memories before and behind one in its session.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memory it is
//   id       STRING  "mem-1"  the memory
// Returns      0..1 rows
//   previous_id  STRING  null for the first of a session
//   next_id      STRING  null for the last
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
OPTIONAL MATCH (p:Memory {user_id: $user_id})-[:NEXT]->(m)
OPTIONAL MATCH (m)-[:NEXT]->(n:Memory {user_id: $user_id})
RETURN p.id AS previous_id, n.id AS next_id;
