// Facts of a user that still gather evidence, those met most often first.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   buckets  LIST<STRING>  ["default", "general"]  any of these; null: all
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit    INTEGER  10  most rows returned
// Returns      0..limit rows
//   id  STRING
MATCH (m:Memory {user_id: $user_id})
WHERE m.visible_until > $at AND m.kind = 'semantic' AND m.horizon = 'medium'
  AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
  AND ($buckets IS NULL OR m.bucket IN $buckets)
RETURN m.id AS id ORDER BY m.occurrences DESC, m.last_reinforced_at DESC, m.id LIMIT $limit;
