// Claims memories whose links are still to be found, oldest first; a claim not finished falls due again by itself.
//
// Those whose enrichment waits are left: what they name is not known yet.
//
// Access   write
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose memories they are
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   lease_until  ZONED DATETIME  datetime("2031-01-01T00:05Z")  when an unfinished claim falls due again
//   claim        STRING  "claim-1"  this claim
//   limit        INTEGER  10  most memories claimed
// Returns      0..limit rows
//   id           STRING
//   text         STRING
//   occurred_at  STRING  dates as text, which the driver reads far faster
//   dated        BOOLEAN  whether somebody said when it happened
//   valid_at     STRING
//   invalid_at   STRING
//   session_id   STRING  or null
//   emotions     LIST<FLOAT>
//   arousal      FLOAT
//   valence      FLOAT
//   current      BOOLEAN  believed, and nothing took its place
MATCH (m:Memory) WHERE m.user_id = $user_id AND m.link_due_at <= $at
WITH m WHERE m.enrich_due_at IS NULL
WITH m ORDER BY m.user_id, m.link_due_at LIMIT $limit
WITH m.id AS id ORDER BY id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id  // anew: what the index gave of its dates would be remembered
SET m.lock = true  // before the check below, which then sees what another claim took in between
REMOVE m.lock
WITH m WHERE m.link_due_at <= $at
SET m.link_claim = $claim, m.link_due_at = $lease_until, m.link_attempts = coalesce(m.link_attempts, 0) + 1
RETURN m.id AS id, m.text AS text, toString(m.occurred_at) AS occurred_at,
       coalesce(m.dates_told_at, 'created_at') = 'occurred_at' AS dated,
       toString(m.valid_at) AS valid_at, toString(m.invalid_at) AS invalid_at, m.session_id AS session_id,
       m.emotions AS emotions, m.arousal AS arousal, m.valence AS valence,
       m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at AS current
ORDER BY id;
