// Ends the discovery of memories: done, to be tried again, or, tried often enough, parked until the text changes.
//
// Access   write
// Scope    user
// Params
//   user_id       STRING  "user-1"  whose memories they are
//   claim         STRING  "claim-1"  the claim that ends
//   rows          LIST<MAP>  [{id: "mem-1", problem: null}]  memories; the problem of one that failed
//   at            ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   retry_at      ZONED DATETIME  datetime("2031-01-01T00:05Z")  when a failed one falls due again
//   max_attempts  INTEGER  3  then it is parked
// Returns      1 row
//   memories  INTEGER  whose discovery came to its end
//   parked    INTEGER
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.user_id = $user_id AND m.link_claim = $claim
WITH m, row, row.problem IS NOT NULL AND m.link_attempts >= $max_attempts AS parked
SET m.link_claim = null, m.link_problem = row.problem,
    m.link_due_at = CASE WHEN row.problem IS NULL OR parked THEN null ELSE $retry_at END,
    m.linked_at = CASE WHEN row.problem IS NULL THEN $at ELSE m.linked_at END,
    m.link_parked_at = CASE WHEN parked THEN $at END,
    m.parked_at = CASE WHEN parked THEN $at ELSE m.parked_at END,
    m.link_attempts = CASE WHEN row.problem IS NULL THEN 0 ELSE m.link_attempts END
RETURN count(CASE WHEN row.problem IS NULL THEN 1 END) AS memories, count(CASE WHEN parked THEN 1 END) AS parked;
