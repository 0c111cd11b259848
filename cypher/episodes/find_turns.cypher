// One page of the turns of an episode, in their order.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose episode it is
//   episode_id  STRING  "epi-1"  the episode
//   after_at    ZONED DATETIME  datetime("2000-01-01T00:00Z")  the cursor; null: from the beginning
//   after_id    STRING  "turn-0"
//   limit       INTEGER  51  most rows returned
// Returns      0..limit rows
//   turn  MAP  every property, dates as text
MATCH (e:Episode {id: $episode_id})-[:HAS_TURN]->(t:Turn {user_id: $user_id}) WHERE e.user_id = $user_id
  AND ($after_at IS NULL OR t.occurred_at > $after_at OR (t.occurred_at = $after_at AND t.id > $after_id))
WITH t ORDER BY t.occurred_at, t.id LIMIT $limit
RETURN t {.id, .episode_id, .role, .text, .speaker, .idempotency_key, occurred_at: toString(t.occurred_at)} AS turn;
