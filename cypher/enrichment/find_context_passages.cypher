// The passages that context vectors are made of: the previous turn and this one, with speakers.
//
// Access   read
// Scope    system
// Params
//   ids  LIST<STRING>  ["mem-1"]  memories that belong to a session
//   at   ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      one row for each memory found
//   user_id    STRING
//   id         STRING
//   passage    STRING  null when it has no neighbour in its session
//   misplaced  BOOLEAN  two writers raced: its place in the chain is not the one that its position names
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.position IS NOT NULL
OPTIONAL MATCH (p:Memory)-[:NEXT]->(m) WHERE p.user_id = m.user_id
OPTIONAL CALL (m) {
    MATCH (q:Memory {user_id: m.user_id, session_id: m.session_id})
    WHERE q.position < m.position AND q.expired_at > $at
    RETURN q ORDER BY q.position DESC LIMIT 1
}
RETURN m.user_id AS user_id, id,
       CASE WHEN m.context_text IS NOT NULL
            THEN coalesce(coalesce(p.speaker + ': ', '') + p.text + '\n', '') + coalesce(m.speaker + ': ', '') + m.text
       END AS passage,
       coalesce(p.id, '') <> coalesce(q.id, '') AND m.expired_at > $at AS misplaced;
