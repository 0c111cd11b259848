// Locks people until the transaction ends.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["per-1"]  in the order of the ids, each once
// Returns      one row for each person found
//   id  STRING
UNWIND $ids AS id
MATCH (p:Person {id: id}) WHERE p.user_id = $user_id
SET p.lock = true
REMOVE p.lock
RETURN p.id AS id;
