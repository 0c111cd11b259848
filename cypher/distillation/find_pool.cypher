// The episodes of a bucket that may be distilled together: those due, then those put off, each the oldest first.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   bucket    STRING  "default"
//   at        ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   embedder  STRING  "hashing/1"  vectors of another cannot be compared
//   limit     INTEGER  5000  most rows
// Returns      0..limit rows
//   id         STRING
//   text       STRING
//   question   BOOLEAN  it asks, and states nothing
//   due        BOOLEAN  it was not put off
//   speaker    STRING  or null
//   people     LIST<STRING>  as the caller named them
//   entities   LIST<STRING>
//   persons    LIST<STRING>  folded names of the persons it refers to
//   embedding  LIST<FLOAT>
MATCH (m:Episodic)
WHERE m.user_id = $user_id AND m.bucket = $bucket AND m.distil_after > datetime('0001-01-01T00:00Z')
  AND m.distil_key IS NULL AND m.consolidated_at IS NULL AND m.embedder = $embedder
  AND m.invalid_at > $at AND m.expired_at > $at AND m.superseded_at > $at
WITH m ORDER BY m.distil_after LIMIT $limit
WHERE m.user_id = $user_id AND m.embedding IS NOT NULL
RETURN m.id AS id, m.text AS text, coalesce(m.is_question, false) AS question, m.distil_after <= $at AS due, m.speaker AS speaker,
       coalesce(m.people, []) AS people, coalesce(m.entities, []) AS entities,
       COLLECT { MATCH (m)-[:REFERS_TO]->(p:Person {user_id: $user_id}) RETURN DISTINCT p.name_key ORDER BY p.name_key } AS persons,
       m.embedding AS embedding
ORDER BY id;
