// The last turns of a user, the latest first: the short-term buffer.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are
//   limit    INTEGER  20  most rows returned
// Returns      0..limit rows
//   turn  MAP  every property, dates as text
MATCH (t:Turn {user_id: $user_id}) WHERE t.occurred_at IS NOT NULL
WITH t ORDER BY t.occurred_at DESC, t.id DESC LIMIT $limit
RETURN t {.id, .episode_id, .role, .text, .speaker, .idempotency_key, occurred_at: toString(t.occurred_at)} AS turn;
