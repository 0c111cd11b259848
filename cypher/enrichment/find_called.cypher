// The memories that texts may mean by a name: by id, by the caller's own id, by the words of their title.
//
// A title is found by its words, so that more come than bear it; the caller compares.
//
// Access   read
// Scope    system
// Params
//   names  LIST<MAP>  [{user_id: "user-1", name: "desk.md", text_query: "+search_scope:k1^0 +search_text:(desk.md)"}]  names, each with the user whose text holds it, who stands in its Lucene query too
//   at     ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit  INTEGER  100  most memories looked at for each way and name
// Returns      any number of rows
//   user_id      STRING
//   id           STRING
//   external_id  STRING  or null
//   text         STRING  its beginning, which holds the title
UNWIND $names AS named
CALL (named) {
    MATCH (m:Memory {id: named.name}) USING INDEX SEEK m:Memory(id) WHERE m.user_id = named.user_id
    RETURN m
  UNION
    MATCH (m:Memory {user_id: named.user_id, external_id: named.name}) USING INDEX SEEK m:Memory(user_id, external_id)
    RETURN m LIMIT $limit
  UNION
    CALL db.index.fulltext.queryNodes('memory_text_fulltext', named.text_query, {limit: $limit}) YIELD node AS m, score
    WITH m, score WHERE score > 0.0 AND m.user_id = named.user_id
    RETURN m
}
WITH DISTINCT m WHERE m.expired_at > $at
RETURN m.user_id AS user_id, m.id AS id, m.external_id AS external_id, left(m.text, 1000) AS text
ORDER BY user_id, id;
