// Facts of a user that gathered little evidence and none of late, the longest idle first.
//
// Access   read
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose memories they are
//   before       ZONED DATETIME  datetime("2099-01-01T00:00Z")  last made at this instant or before, UTC
//   occurrences  INTEGER  5  made less often
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit        INTEGER  1000  most rows returned
// Returns      0..limit rows
//   id    STRING
//   text  STRING
MATCH (m:Memory {user_id: $user_id})
WHERE m.kind = 'semantic' AND m.horizon = 'medium' AND m.occurrences < $occurrences AND m.last_reinforced_at <= $before
  AND NOT m.pinned AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
RETURN m.id AS id, m.text AS text ORDER BY m.last_reinforced_at, m.id LIMIT $limit;
