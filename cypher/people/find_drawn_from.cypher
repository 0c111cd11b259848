// The people of whom evidence or exchanges were drawn from a memory.
//
// Access   read
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose memory it is
//   memory_id  STRING  "mem-1"  the memory
// Returns      0..n rows
//   id  STRING  the person
MATCH (m:Memory {id: $memory_id}) WHERE m.user_id = $user_id
MATCH (m)<-[:DRAWN_FROM]-(made:Evidence|Communication {user_id: $user_id})
MATCH (made)<-[:HAS_EVIDENCE|HAS_COMMUNICATION]-(p:Person {user_id: $user_id})
RETURN DISTINCT p.id AS id;
