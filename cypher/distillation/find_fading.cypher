// Statements whose sources are due to fade, the longest due first.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   limit    INTEGER  1000  most rows
// Returns      0..limit rows
//   id  STRING
MATCH (s:Semantic) WHERE s.user_id = $user_id AND s.fade_due_at > datetime('0001-01-01T00:00Z')
RETURN s.id AS id
ORDER BY s.fade_due_at, id LIMIT $limit;
