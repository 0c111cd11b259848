// Statements by their ids, as they are, with their vectors.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["mem-1"]  the statements
// Returns      one row for each statement found
//   memory     MAP  every property but the vectors
//   embedding  LIST<FLOAT>  null where it has none
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
RETURN m {.*, embedding: null, context_embedding: null} AS memory, m.embedding AS embedding
ORDER BY m.id;
