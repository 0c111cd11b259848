// Memories by their ids, whatever their state.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   ids      LIST<STRING>  ["mem-1"]  at most some hundreds
// Returns      one row for each memory found
//   memory  MAP  every property but the vectors
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
RETURN m {.*, embedding: null, context_embedding: null} AS memory;
