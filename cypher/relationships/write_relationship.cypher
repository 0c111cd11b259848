// Writes how a user and the agent stand.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose it is; this transaction has locked the user
//   properties  MAP  {sessions: 1}  all of it, as stored
// Returns      1 row
//   user_id  STRING
MERGE (r:Relationship {user_id: $user_id})
SET r += $properties
RETURN r.user_id AS user_id;
