// Writes anew the context text of memories: the previous, this and the next turn of their session, with speakers.
//
// A memory without neighbours has no context. Where the turn itself or the one before it changed, the context vector
// goes at once, for it may speak of what was forgotten, and enrichment makes a new one.
//
// Access   write
// Scope    user
// Params
//   rows  LIST<MAP>  [{user_id: "user-1", id: "mem-1", vector_stale: true}]  the memories, each once
//   at    ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   memories  INTEGER
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.user_id = row.user_id
// Without a label, so that a plan made while the graph is empty cannot begin with all memories of the user.
OPTIONAL MATCH (p {user_id: row.user_id})-[:NEXT]->(m)
OPTIONAL MATCH (m)-[:NEXT]->(n {user_id: row.user_id})
WITH row, m, p,
     [x IN [p, m, n] WHERE x IS NOT NULL | coalesce(x.speaker + ': ', '') + x.text] AS lines,
     [x IN [p, m, n] WHERE x.script_terms IS NOT NULL | x.script_terms] AS terms
SET m.context_text = CASE WHEN size(lines) > 1 THEN reduce(s = head(lines), line IN tail(lines) | s + '\n' + line) END,
    m.context_script_terms = CASE WHEN size(lines) > 1 AND size(terms) > 0
                                  THEN reduce(s = head(terms), term IN tail(terms) | s + ' ' + term) END,
    m.has_context = size(lines) > 1,  // a text is read far more slowly than a flag
    m.answers_question = coalesce(p.is_question, false)
WITH row, m
CALL (row, m) {
    WITH row, m WHERE row.vector_stale
    SET m.context_embedding = null, m.enrich_due_at = $at, m.attempts = 0
}
RETURN count(m) AS memories;
