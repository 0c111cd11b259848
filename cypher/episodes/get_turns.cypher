// Turns by their ids.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are
//   ids      LIST<STRING>  ["turn-1"]  at most some hundreds
// Returns      one row for each turn found
//   turn  MAP  every property, dates as text
UNWIND $ids AS id
MATCH (t:Turn {id: id}) WHERE t.user_id = $user_id
RETURN t {.id, .episode_id, .role, .text, .speaker, .idempotency_key, occurred_at: toString(t.occurred_at)} AS turn;
