// The memories that one went into by merges, the nearest first, with what each can say without it.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   id       STRING  "mem-1"  the one that went into others
// Returns      any number of rows
//   id      STRING
//   steps   INTEGER  merges between the two
//   own     STRING  its text before it took others in
//   others  LIST<STRING>  texts of the others that went into it
MATCH path = (m:Memory {id: $id})-[:SUPERSEDED_BY]->{1,8}(k:Memory {user_id: $user_id})
WHERE m.user_id = $user_id
  AND all(each IN relationships(path) WHERE EXISTS {
    MATCH (old)<-[:DRAWN_FROM]-(j:Judgement {user_id: $user_id})-[:DRAWN_FROM]->(new)
    WHERE old = startNode(each) AND new = endNode(each) AND j.verdict = 'same'
  })
WITH m, k, min(length(path)) AS steps
CALL (k) {
    OPTIONAL MATCH (k)-[:HAS_VERSION]->(v:Version {user_id: $user_id})
    WITH v ORDER BY v.since, v.id
    RETURN head(collect(v.text)) AS first
}
CALL (m, k) {
    OPTIONAL MATCH (part:Memory {user_id: $user_id})-[:SUPERSEDED_BY]->(k) WHERE part.id <> m.id
    WITH part ORDER BY part.created_at, part.id
    RETURN collect(part.text) AS others
}
RETURN k.id AS id, steps, coalesce(first, k.text) AS own, others ORDER BY steps, id;
