// Facts of a user that still gather evidence and have gathered some, those made most often first.
//
// Access   read
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose memories they are
//   occurrences  INTEGER  1  least
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit        INTEGER  1000  most rows returned
// Returns      0..limit rows
//   id  STRING
MATCH (m:Memory {user_id: $user_id})
WHERE m.kind = 'semantic' AND m.horizon = 'medium' AND m.occurrences >= $occurrences
  AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
RETURN m.id AS id ORDER BY m.occurrences DESC, m.session_count DESC, m.last_reinforced_at DESC, m.id LIMIT $limit;
