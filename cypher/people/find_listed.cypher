// The people in a user's list: those with the most interactions, then those seen last.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   limit    INTEGER  200  most rows returned
// Returns      0..limit rows
//   person  MAP  every property
MATCH (p:Person {user_id: $user_id})
ORDER BY coalesce(p.interactions, 0) DESC,
         coalesce(p.last_interaction_at, p.last_mentioned_at, p.created_at) DESC, p.id LIMIT $limit
RETURN p {.*} AS person;
