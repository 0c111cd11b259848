// Claims one memory if it awaits enrichment, before all that are older: somebody waits for it.
//
// Access   write
// Scope    system
// Params
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   lease_until  ZONED DATETIME  datetime("2031-01-01T00:01Z")  when an unfinished claim falls due again
//   claim        STRING  "claim-1"  this claim
//   id           STRING  "mem-1"  the memory
// Returns      0..1 rows
//   user_id        STRING
//   id             STRING
//   text           STRING
//   speaker        STRING
//   people         LIST<STRING>  names that the caller gave
//   entities       LIST<STRING>  names that the caller gave
//   occurred_at    ZONED DATETIME
//   in_session     BOOLEAN
//   has_embedding  BOOLEAN
//   attempts       INTEGER  this one counted
MATCH (m:Memory {id: $id})
SET m.lock = true  // before the check below, which then sees what another claim took in between
REMOVE m.lock
WITH m WHERE m.enrich_due_at <= $at
SET m.enrich_claim = $claim, m.enrich_due_at = $lease_until, m.attempts = m.attempts + 1
RETURN m.user_id AS user_id, m.id AS id, m.text AS text, m.speaker AS speaker,
       coalesce(m.people, []) AS people, coalesce(m.entities, []) AS entities, m.occurred_at AS occurred_at,
       m.position IS NOT NULL AS in_session, m.embedding IS NOT NULL AS has_embedding, m.attempts AS attempts;
