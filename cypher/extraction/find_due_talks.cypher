// Episodes of all users with turns that are due to be drawn from, the longest due first.
//
// A turn is due once the memory of it is made.
//
// Access   read
// Scope    system
// Params
//   at     ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   pool   INTEGER  1000  turns looked at
//   limit  INTEGER  20  most rows returned
// Returns      0..limit rows
//   user_id     STRING
//   episode_id  STRING
MATCH (t:Turn) WHERE t.extract_due_at <= $at
WITH t ORDER BY t.extract_due_at LIMIT $pool
WITH t WHERE t.memory_due_at IS NULL AND t.episode_id IS NOT NULL
WITH t.user_id AS user_id, t.episode_id AS episode_id, min(t.extract_due_at) AS due_at
ORDER BY due_at, episode_id LIMIT $limit
RETURN user_id, episode_id;
