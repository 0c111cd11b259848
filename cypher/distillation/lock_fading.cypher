// The sources of a statement that have not faded for it yet; the user is locked until the transaction ends.
//
// None where the statement is not believed any more: nothing fades for what cannot be found.
//
// Access   write
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose they are
//   semantic_id  STRING  "mem-1"  the statement
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      any number of rows
//   id      STRING
//   cosine  FLOAT  to the centroid, -1..1
MATCH (u:User {user_id: $user_id})
SET u.lock = true
REMOVE u.lock
WITH u
MATCH (s:Memory {id: $semantic_id})
WHERE s.user_id = $user_id AND s.fade_due_at IS NOT NULL
  AND s.expired_at > $at AND s.invalid_at > $at AND s.superseded_at > $at
MATCH (s)-[r:DISTILLED_FROM]->(m {user_id: $user_id}) WHERE r.faded_at IS NULL
RETURN m.id AS id, coalesce(r.cosine, 1.0) AS cosine
ORDER BY id;
