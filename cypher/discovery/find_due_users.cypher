// Users with memories whose links are still to be found, the longest due first.
//
// Access   read
// Scope    system
// Params
//   at        ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   memories  INTEGER  1000  looked at, so that one user's many do not make it long; the rest come next time
//   limit     INTEGER  10  most users
// Returns      0..limit rows
//   user_id  STRING
MATCH (m:Memory) WHERE m.link_due_at <= $at
WITH m WHERE m.enrich_due_at IS NULL
WITH m ORDER BY m.link_due_at LIMIT $memories
WITH m.user_id AS user_id, min(m.link_due_at) AS since
RETURN user_id ORDER BY since, user_id LIMIT $limit;
