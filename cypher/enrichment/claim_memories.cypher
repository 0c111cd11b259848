// Claims memories that await enrichment, oldest first; a claim that is not finished falls due again by itself.
//
// Access   write
// Scope    system
// Params
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   lease_until  ZONED DATETIME  datetime("2031-01-01T00:01Z")  when an unfinished claim falls due again
//   claim        STRING  "claim-1"  this claim
//   limit        INTEGER  200  most memories claimed
// Returns      0..limit rows
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
MATCH (m:Memory) WHERE m.enrich_due_at <= $at
WITH m ORDER BY m.enrich_due_at LIMIT $limit
WITH m.id AS id ORDER BY id
MATCH (m:Memory {id: id})  // anew: what the index gave of its date would be remembered
SET m.lock = true  // before the check below, which then sees what another claim took in between
REMOVE m.lock
WITH m WHERE m.enrich_due_at <= $at
SET m.enrich_claim = $claim, m.enrich_due_at = $lease_until, m.attempts = m.attempts + 1
RETURN m.user_id AS user_id, m.id AS id, m.text AS text, m.speaker AS speaker,
       coalesce(m.people, []) AS people, coalesce(m.entities, []) AS entities, m.occurred_at AS occurred_at,
       m.position IS NOT NULL AS in_session, m.embedding IS NOT NULL AS has_embedding, m.attempts AS attempts
ORDER BY user_id, id;
