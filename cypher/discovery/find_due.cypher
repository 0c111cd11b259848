// Memories whose links are still to be found, oldest first, as they are claimed but without claiming them.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit    INTEGER  10  most memories
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
RETURN m.id AS id, m.text AS text, toString(m.occurred_at) AS occurred_at,
       coalesce(m.dates_told_at, 'created_at') = 'occurred_at' AS dated,
       toString(m.valid_at) AS valid_at, toString(m.invalid_at) AS invalid_at, m.session_id AS session_id,
       m.emotions AS emotions, m.arousal AS arousal, m.valence AS valence,
       m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at AS current
ORDER BY id;
