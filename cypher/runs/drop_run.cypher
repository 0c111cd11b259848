// Drops a run of which there is nothing to tell.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whom it worked for
//   id       STRING  "run-1"  the run
// Returns      0..1 rows
//   id  STRING
MATCH (r:Run {id: $id}) WHERE r.user_id = $user_id
DETACH DELETE r
RETURN $id AS id;
