// Makes parked turns due again, as if they had not been tried.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are
//   at       ZONED DATETIME  datetime("9999-01-01T00:00Z")  now, UTC
// Returns      1 row
//   turns  INTEGER
MATCH (t:Turn {user_id: $user_id})
USING INDEX SEEK t:Turn(user_id, extract_parked_at)
WHERE t.extract_parked_at <= $at
SET t.extract_due_at = $at, t.extract_attempts = 0, t.extract_parked_at = null
RETURN count(t) AS turns;
