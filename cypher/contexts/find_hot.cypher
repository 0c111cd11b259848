// What a user's agent should always have in mind: pinned memories, then those used last.
//
// Access   read
// Scope    user
// Params
//   user_id        STRING  "user-1"  whose memories they are
//   buckets        LIST<STRING>  ["default", "general"]  any of these; null: all
//   touched_after  ZONED DATETIME  datetime("2000-01-01T00:00Z")  the last touch, unless pinned
//   at             ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit          INTEGER  80  most rows returned
// Returns      0..limit rows
//   id  STRING
CALL () {
    MATCH (m:Memory {user_id: $user_id})
    WHERE m.visible_until >= datetime('9999-12-31T00:00Z') AND m.pinned
      AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
      AND ($buckets IS NULL OR m.bucket IN $buckets)
    RETURN m, 0 AS part ORDER BY m.touched_at DESC, m.id LIMIT $limit
  UNION ALL
    MATCH (m:Memory {user_id: $user_id})
    WHERE m.anchor_at > $touched_after AND m.touched_at > $touched_after AND NOT m.pinned
      AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at AND m.visible_until > $at
      AND ($buckets IS NULL OR m.bucket IN $buckets)
    RETURN m, 1 AS part ORDER BY m.anchor_at DESC, m.id LIMIT $limit
}
WITH m, part ORDER BY part, CASE part WHEN 0 THEN m.touched_at ELSE m.anchor_at END DESC, m.id LIMIT $limit
RETURN m.id AS id;
