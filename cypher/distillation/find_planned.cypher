// The clusters of a user that are planned and not yet distilled, the one with the oldest member first.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
// Returns      any number of rows
//   key  STRING
MATCH (m:Episodic) WHERE m.user_id = $user_id AND m.distil_key > ''
WITH m.distil_key AS key, min(m.id) AS oldest
RETURN key ORDER BY oldest;
