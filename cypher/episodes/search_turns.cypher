// The turns that hold any of the words, the best by full text.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose turns they are
//   text_query  STRING  "+search_scope:k1^0 +text:(desk)"  Lucene, the owner inside
//   pool        INTEGER  1000  most rows returned
// Returns      0..pool rows
//   episode_id  STRING
//   text        STRING
CALL db.index.fulltext.queryNodes('turn_text_fulltext', $text_query, {limit: $pool}) YIELD node AS t, score
WHERE t.user_id = $user_id AND t.episode_id IS NOT NULL
RETURN t.episode_id AS episode_id, t.text AS text;
