// What a user's unexpired memories are, counted by kind, state, tier, strength and standing.
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
//   half_life_hours  FLOAT  240.0  settings decay.*, for the strength; so for the next four
//   stability_gain   FLOAT  0.5
//   stability_power  FLOAT  1.5
//   strength_max     FLOAT  2.0
//   arousal_gain     FLOAT  0.4
//   hidden_soon      FLOAT  0.15  up to this strength what is not hidden yet fades soon
// Returns      0..n rows
//   kind        STRING
//   state       STRING
//   tier        STRING  null when pinned
//   hidden      BOOLEAN
//   fading      BOOLEAN  not hidden, but soon
//   superseded  BOOLEAN
//   pending     BOOLEAN  awaits enrichment
//   parked      BOOLEAN
//   embedded    BOOLEAN
//   memories    INTEGER
MATCH (m:Memory {user_id: $user_id}) WHERE m.expired_at > $at
WITH m, CASE WHEN $at > m.touched_at THEN toInteger(duration.inSeconds(m.touched_at, $at).seconds * $time_scale) / 86400 ELSE 0 END AS days,
     CASE WHEN $at > m.anchor_at THEN ($at.epochMillis - m.anchor_at.epochMillis) / 3600000.0 * $time_scale ELSE 0.0 END AS idle
WITH m, days, CASE WHEN m.base_strength > $strength_max THEN $strength_max ELSE m.base_strength END
     / (1.0 + idle * (1.0 - $arousal_gain * m.arousal)
              / ($half_life_hours * (1.0 + $stability_gain * m.spaced_access_count ^ $stability_power))) AS strength
RETURN m.kind AS kind,
       CASE WHEN $at >= m.archive_at THEN 'archive' WHEN $at >= m.forgotten_at THEN 'forgotten'
            WHEN $at >= m.dream_at THEN 'dream' ELSE 'core' END AS state,
       CASE WHEN m.pinned THEN null WHEN days <= $active_days THEN 'active' WHEN days <= $warm_days THEN 'warm'
            WHEN days <= $cold_days THEN 'cold' ELSE 'archive' END AS tier,
       m.visible_until <= $at AS hidden,
       m.visible_until > $at AND NOT m.pinned AND strength <= $hidden_soon + 1e-9 AS fading,
       m.superseded_at <= $at AS superseded,
       m.enrich_due_at IS NOT NULL AS pending, m.parked_at IS NOT NULL AS parked, m.embedding IS NOT NULL AS embedded,
       count(*) AS memories;
