// The episodes whose digest holds any of the words, the best by full text.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose episodes they are
//   text_query  STRING  "+search_scope:k1^0 +search_text:(desk)"  Lucene, the owner inside
//   pool        INTEGER  500  most rows returned
// Returns      0..pool rows
//   episode  MAP  every property, dates as text
CALL db.index.fulltext.queryNodes('episode_text_fulltext', $text_query, {limit: $pool}) YIELD node AS e, score
WHERE e.user_id = $user_id
RETURN e {.*, started_at: toString(e.started_at), ended_at: toString(e.ended_at), due_at: toString(e.due_at),
          last_turn_at: toString(e.last_turn_at)} AS episode;
