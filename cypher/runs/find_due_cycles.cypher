// Users whose cycle of sleep is due, the longest due first.
//
// Access   read
// Scope    system
// Params
//   at     ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit  INTEGER  100  most rows returned
// Returns      0..limit rows
//   user_id  STRING
//   due_at   ZONED DATETIME
MATCH (u:User) WHERE u.cycle_due_at <= $at
RETURN u.user_id AS user_id, u.cycle_due_at AS due_at ORDER BY u.cycle_due_at LIMIT $limit;
