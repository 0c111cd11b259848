// The decisions that words find best, over text, reasoning and topic.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose decisions they are
//   text_query  STRING  "+search_scope:k1^0 +search_text:(desk)"  Lucene, the owner inside
//   known_at    ZONED DATETIME  datetime("2031-01-01T00:00Z")  system time
//   pool        INTEGER  100  candidates fetched from the index
//   limit       INTEGER  3  most rows returned
// Returns      0..limit rows
//   id  STRING
CALL db.index.fulltext.queryNodes('memory_text_fulltext', $text_query, {limit: $pool}) YIELD node AS m, score
WHERE m.user_id = $user_id AND m.kind = 'decision' AND m.created_at <= $known_at AND $known_at < m.expired_at
RETURN m.id AS id ORDER BY score DESC, id LIMIT $limit;
