// A user's memories that will soon fade from view, the first to go first, and since when there are so many.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   scan     INTEGER  1000  most memories looked at, those that are hidden first
//   limit    INTEGER  10  most memories returned
//   hidden_soon      FLOAT  0.15  up to this strength what is not hidden yet fades soon
//   half_life_hours  FLOAT  240.0  settings decay.*, for the strength; so for the next four
//   stability_gain   FLOAT  0.5
//   stability_power  FLOAT  1.5
//   strength_max     FLOAT  2.0
//   arousal_gain     FLOAT  0.4
//   time_scale       FLOAT  1.0
// Returns      1 row
//   count     INTEGER  how many there are among those looked at
//   ids       LIST<STRING>  the first of them
//   first_at  ZONED DATETIME  when the first is hidden; null: there are none
//   since     ZONED DATETIME  when the last of them became so weak
CALL () {
    MATCH (m:Memory {user_id: $user_id})
    WHERE m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
      AND NOT m.pinned
    RETURN m ORDER BY m.visible_until LIMIT $scan
}
WITH m, CASE WHEN m.base_strength > $strength_max THEN $strength_max ELSE m.base_strength END AS base,
     $half_life_hours * (1.0 + $stability_gain * m.spaced_access_count ^ $stability_power)
       / (1.0 - $arousal_gain * m.arousal) AS half_life
WITH m, (base / $hidden_soon - 1.0) * half_life / $time_scale AS hours
WITH m, CASE WHEN hours > 0 THEN m.anchor_at + duration({seconds: toInteger(hours * 3600)}) ELSE m.anchor_at END AS since
WHERE since <= $at
WITH m, since ORDER BY m.visible_until, m.id
RETURN count(m) AS count, collect(m.id)[..$limit] AS ids, min(m.visible_until) AS first_at, max(since) AS since;
