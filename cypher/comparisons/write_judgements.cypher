// Keeps what was concluded of pairs of memories, so that they are not compared again; gone with either of them.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   rows     LIST<MAP>  [{id: "jud-1", pair_key: "audit mem-1 mem-2", first_id: "mem-1", second_id: "mem-2", properties: {verdict: "compatible"}}]  pairs
// Returns      one row for each pair that is there
//   pair_key  STRING
UNWIND $rows AS row
MATCH (first:Memory {id: row.first_id}) WHERE first.user_id = $user_id
MATCH (second:Memory {id: row.second_id}) WHERE second.user_id = $user_id
MERGE (j:Judgement {user_id: $user_id, pair_key: row.pair_key})
  ON CREATE SET j.id = row.id
SET j += row.properties
MERGE (j)-[:DRAWN_FROM {user_id: $user_id}]->(first)
MERGE (j)-[:DRAWN_FROM {user_id: $user_id}]->(second)
RETURN j.pair_key AS pair_key;
