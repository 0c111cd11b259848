// How many established facts of a user are current.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   facts  INTEGER
MATCH (m:Memory {user_id: $user_id})
WHERE m.kind = 'semantic' AND m.horizon = 'long' AND m.embedding IS NOT NULL
  AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
RETURN count(m) AS facts;
