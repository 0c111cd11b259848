// Memories as they are, locked until the transaction ends, so that what is computed from them is not overtaken.
//
// Their owner is locked first: two transactions on the memories of one user come one after the other.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   ids      LIST<STRING>  ["mem-1"]  in the order of the ids, each once
// Returns      one row for each memory found
//   memory  MAP  every property but the vectors
MATCH (u:User {user_id: $user_id})
SET u.lock = true
REMOVE u.lock
WITH u
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
SET m.lock = true
REMOVE m.lock
RETURN m {.*, embedding: null, context_embedding: null} AS memory;
