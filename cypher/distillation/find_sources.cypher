// What memories were drawn from: episodes of a statement, statements of a schema, the oldest first.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["mem-2"]  the memories
// Returns      any number of rows
//   drawn_id   STRING  the memory
//   source_id  STRING
UNWIND $ids AS id
MATCH (d:Memory {id: id}) WHERE d.user_id = $user_id
MATCH (d)-[:DISTILLED_FROM|ABSTRACTS]->(s {user_id: $user_id})
RETURN id AS drawn_id, s.id AS source_id
ORDER BY drawn_id, s.occurred_at, source_id;
