// What a user said of which no memory was made yet, since the work broke off.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are
//   until    ZONED DATETIME  datetime("9999-01-01T00:00Z")  stored up to then
//   limit    INTEGER  100  most rows returned
// Returns      0..limit rows
//   turn  MAP  every property, dates as text
MATCH (t:Turn {user_id: $user_id}) WHERE t.memory_due_at <= $until
WITH t ORDER BY t.memory_due_at, t.id LIMIT $limit
RETURN t {.id, .episode_id, .role, .text, .speaker, .idempotency_key, occurred_at: toString(t.occurred_at)} AS turn;
