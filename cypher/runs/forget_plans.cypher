// Takes the plans of dry runs away that speak of a memory.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   id       STRING  "mem-1"  the memory
// Returns      1 row
//   runs  INTEGER
MATCH (r:Run {user_id: $user_id}) WHERE r.plan CONTAINS $id
SET r.plan = null
RETURN count(r) AS runs;
