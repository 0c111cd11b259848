// The established statements of a user that are believed now, the oldest first.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   at        ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   embedder  STRING  "hashing/1"  vectors of another cannot be compared
//   limit     INTEGER  5000  most rows
// Returns      0..limit rows
//   id         STRING
//   text       STRING
//   bucket     STRING
//   category   STRING
//   speaker    STRING  or null
//   people     LIST<STRING>  as the caller named them
//   entities   LIST<STRING>
//   persons    LIST<STRING>  folded names of the persons that it or what it was distilled from refers to
//   embedding  LIST<FLOAT>
MATCH (m:Semantic) WHERE m.user_id = $user_id AND m.horizon = 'long'
  AND m.embedding IS NOT NULL AND m.embedder = $embedder
  AND m.valid_at <= $at AND m.invalid_at > $at AND m.expired_at > $at AND m.superseded_at > $at
WITH m ORDER BY m.created_at, m.id LIMIT $limit
WHERE m.user_id = $user_id
RETURN m.id AS id, m.text AS text, m.bucket AS bucket, m.category AS category, m.speaker AS speaker,
       coalesce(m.people, []) AS people, coalesce(m.entities, []) AS entities,
       COLLECT { MATCH (m)-[:DISTILLED_FROM*0..1]->()-[:REFERS_TO]->(p:Person {user_id: $user_id}) RETURN DISTINCT p.name_key ORDER BY p.name_key } AS persons,
       m.embedding AS embedding
ORDER BY id;
