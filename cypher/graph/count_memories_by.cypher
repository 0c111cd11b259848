// What a user's unexpired memories are, counted by kind, state, tier and standing.
//
// Access   read
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose memories they are
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  the instant, UTC
//   active_days  INTEGER  7  the tier profile; whole days
//   warm_days    INTEGER  21
//   cold_days    INTEGER  60
//   time_scale   FLOAT  1.0  settings decay.time_scale
// Returns      0..n rows
//   kind        STRING
//   state       STRING
//   tier        STRING  null when pinned
//   hidden      BOOLEAN
//   superseded  BOOLEAN
//   pending     BOOLEAN  awaits enrichment
//   parked      BOOLEAN
//   embedded    BOOLEAN
//   memories    INTEGER
MATCH (m:Memory {user_id: $user_id}) WHERE m.expired_at > $at
WITH m, CASE WHEN $at > m.touched_at THEN toInteger(duration.inSeconds(m.touched_at, $at).seconds * $time_scale) / 86400 ELSE 0 END AS days
RETURN m.kind AS kind,
       CASE WHEN $at >= m.archive_at THEN 'archive' WHEN $at >= m.forgotten_at THEN 'forgotten'
            WHEN $at >= m.dream_at THEN 'dream' ELSE 'core' END AS state,
       CASE WHEN m.pinned THEN null WHEN days <= $active_days THEN 'active' WHEN days <= $warm_days THEN 'warm'
            WHEN days <= $cold_days THEN 'cold' ELSE 'archive' END AS tier,
       m.visible_until <= $at AS hidden, m.superseded_at <= $at AS superseded,
       m.enrich_due_at IS NOT NULL AS pending, m.parked_at IS NOT NULL AS parked, m.embedding IS NOT NULL AS embedded,
       count(*) AS memories;
