// Gives back memories whose enrichment failed; those that were tried often enough are parked.
//
// Access   write
// Scope    system
// Params
//   claim         STRING  "claim-1"  the claim that failed
//   rows          LIST<MAP>  [{id: "mem-1", reason: "the embedder gave no answer"}]  memories
//   at            ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   retry_at      ZONED DATETIME  datetime("2031-01-01T00:01Z")  when to try again
//   max_attempts  INTEGER  3  then it is parked
// Returns      one row for each memory given back
//   id      STRING
//   parked  BOOLEAN
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.enrich_claim = $claim
SET m.enrich_claim = null, m.enrich_problem = row.reason,
    m.parked_at = CASE WHEN m.attempts >= $max_attempts THEN $at ELSE m.link_parked_at END,
    m.enrich_due_at = CASE WHEN m.attempts >= $max_attempts THEN null ELSE $retry_at END
RETURN m.id AS id, m.enrich_due_at IS NULL AS parked;
