// One page of a user's runs, the latest first.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   after_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  the cursor; null: from the beginning
//   after_id  STRING  "run-1"
//   limit     INTEGER  21  most rows returned
// Returns      0..limit rows
//   run  MAP  every property
MATCH (r:Run {user_id: $user_id})
WHERE r.started_at IS NOT NULL
  AND ($after_at IS NULL OR r.started_at < $after_at OR (r.started_at = $after_at AND r.id < $after_id))
RETURN r {.*} AS run ORDER BY r.started_at DESC, r.id DESC LIMIT $limit;
