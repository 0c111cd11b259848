// The schemas of a user that are not retired or forgotten, with their members.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      any number of rows, by id
//   schema      MAP  every property but the vectors
//   member_ids  LIST<STRING>
MATCH (s:Schema) WHERE s.user_id = $user_id AND s.expired_at > $at AND s.invalid_at > $at AND s.superseded_at > $at
RETURN s {.*, embedding: null, context_embedding: null} AS schema,
       COLLECT { MATCH (s)-[:ABSTRACTS]->(m {user_id: $user_id}) RETURN m.id ORDER BY m.id } AS member_ids
ORDER BY s.id;
