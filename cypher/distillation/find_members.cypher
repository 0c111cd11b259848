// The members of a planned cluster, as they are.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   key      STRING  "cluster-1"  of the cluster
// Returns      any number of rows, by id
//   memory     MAP  every property but the vectors
//   embedding  LIST<FLOAT>  null where it has none
MATCH (m:Episodic) WHERE m.user_id = $user_id AND m.distil_key = $key
RETURN m {.*, embedding: null, context_embedding: null} AS memory, m.embedding AS embedding
ORDER BY m.id;
