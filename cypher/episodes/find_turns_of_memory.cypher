// The turns that a memory was made of or found in, with their episodes.
//
// Access   read
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose memory it is
//   memory_id  STRING  "mem-1"  the memory
// Returns      one row for each turn
//   id          STRING
//   episode_id  STRING
MATCH (m:Memory {id: $memory_id})-[:MENTIONED_IN]->(t:Turn {user_id: $user_id}) WHERE m.user_id = $user_id
RETURN t.id AS id, t.episode_id AS episode_id;
