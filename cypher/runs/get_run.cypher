// One run.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whom it works for
//   id       STRING  "run-1"  the run
// Returns      0..1 rows
//   run  MAP  every property
MATCH (r:Run {id: $id}) WHERE r.user_id = $user_id
RETURN r {.*} AS run;
