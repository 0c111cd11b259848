// A user's memories whose enrichment was given up, the latest first.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit    INTEGER  10  most memories returned
// Returns      1 row
//   memories  INTEGER  how many there are
//   ids       LIST<STRING>  the first of them
//   since     ZONED DATETIME  when the last was given up; null: there are none
MATCH (m:Memory) WHERE m.user_id = $user_id AND m.parked_at <= $at AND m.expired_at > $at
WITH m ORDER BY m.parked_at DESC, m.id
RETURN count(m) AS memories, collect(m.id)[..$limit] AS ids, max(m.parked_at) AS since;
