// How many of a user's memories have left the state that their label says, by that label.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   at       ZONED DATETIME  datetime("9999-01-01T00:00Z")  now, UTC
// Returns      0..3 rows
//   state     STRING
//   memories  INTEGER
MATCH (m:Memory {user_id: $user_id})
WHERE CASE m.state WHEN 'core' THEN m.dream_at WHEN 'dream' THEN m.forgotten_at WHEN 'forgotten' THEN m.archive_at END
      <= $at
RETURN m.state AS state, count(*) AS memories;
