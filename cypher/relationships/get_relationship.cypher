// How a user and the agent stand.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
// Returns      0..1 rows
//   relationship  MAP  every property
MATCH (r:Relationship {user_id: $user_id})
RETURN r {.*} AS relationship;
