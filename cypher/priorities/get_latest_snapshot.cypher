// The latest priority snapshot of a user at an instant.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   at       ZONED DATETIME  datetime("9999-01-01T00:00Z")  the instant, UTC
// Returns      0..1 rows
//   snapshot  MAP  every property
MATCH (s:PrioritySnapshot {user_id: $user_id}) WHERE s.at <= $at
RETURN s {.*} AS snapshot ORDER BY s.at DESC LIMIT 1;
