// Gives back turns that nothing could be drawn from; those that were tried often enough are parked.
//
// Access   write
// Scope    user
// Params
//   user_id       STRING  "user-1"  whose turns they are
//   claim         STRING  "claim-1"  the claim that failed
//   ids           LIST<STRING>  ["turn-1"]  the turns
//   reason        STRING  "the model gave no answer"  why; null: they were not tried
//   counts        BOOLEAN  true  false: the try is not theirs to answer for
//   at            ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   retry_at      ZONED DATETIME  datetime("2031-01-01T00:01Z")  when to try again
//   max_attempts  INTEGER  3  then they are parked
// Returns      1 row
//   parked  INTEGER
UNWIND $ids AS id
MATCH (t:Turn {id: id}) WHERE t.user_id = $user_id AND t.extract_claim = $claim
SET t.extract_claim = null, t.extract_problem = coalesce($reason, t.extract_problem),
    t.extract_attempts = CASE WHEN $counts THEN t.extract_attempts ELSE t.extract_attempts - 1 END
SET t.extract_parked_at = CASE WHEN t.extract_attempts >= $max_attempts THEN $at END,
    t.extract_due_at = CASE WHEN t.extract_attempts >= $max_attempts THEN null ELSE $retry_at END
RETURN count(t.extract_parked_at) AS parked;
