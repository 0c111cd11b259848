// One page of a user's priority snapshots, the latest first.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   after_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  the cursor; null: from the beginning
//   after_id  STRING  "snap-1"
//   limit     INTEGER  11  most rows returned
// Returns      0..limit rows
//   snapshot  MAP  every property
MATCH (s:PrioritySnapshot {user_id: $user_id})
WHERE s.at IS NOT NULL AND ($after_at IS NULL OR s.at < $after_at OR (s.at = $after_at AND s.id < $after_id))
RETURN s {.*} AS snapshot ORDER BY s.at DESC, s.id DESC LIMIT $limit;
