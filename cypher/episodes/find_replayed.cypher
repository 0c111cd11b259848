// Which of some idempotency keys turns of a user bear already, and in which episodes.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are
//   keys     LIST<STRING>  ["key-1"]  the keys
// Returns      one row for each turn found
//   key         STRING
//   episode_id  STRING
UNWIND $keys AS key
MATCH (t:Turn {user_id: $user_id, idempotency_key: key})
RETURN t.idempotency_key AS key, t.episode_id AS episode_id;
