// What sleep drew from a memory, each with all that it was drawn from; what only got its links stays out.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   id       STRING  "mem-1"  the memory
// Returns      any number of rows, one for each source
//   drawn      MAP  every property but the vectors
//   memory     MAP  a source, every property but the vectors
//   embedding  LIST<FLOAT>  its vector
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
MATCH (d {user_id: $user_id})-[:DISTILLED_FROM|ABSTRACTS]->(m) WHERE d.cluster_key IS NOT NULL
MATCH (d)-[:DISTILLED_FROM|ABSTRACTS]->(s {user_id: $user_id})
RETURN d {.*, embedding: null, context_embedding: null} AS drawn,
       s {.*, embedding: null, context_embedding: null} AS memory, s.embedding AS embedding
ORDER BY d.id, s.id;
