// The look-ups of recall alone, which merely counts their rows: what recall is measured against.
//
// Access   read
// Scope    user
// Params
//   user_id         STRING  "user-1"  whose memories they are
//   vector          LIST<FLOAT>  [x IN range(1, 384) | 0.05]  as in recall; so are all others
//   text_query      STRING  "+search_scope:k1^0 +search_text:(desk)"
//   context_query   STRING  "+search_scope:k1^0 +context_text:(desk)"
//   at              ZONED DATETIME  datetime("2031-01-01T00:00Z")
//   pool            INTEGER  100
//   bucket_from     STRING  "default"
//   bucket_until    STRING  "default"
//   lanes           LIST<STRING>  ["facts_prefs", "short_term", "working_set", "long_term", "mid_term"]
//   kinds           LIST<STRING>  ["episodic", "semantic", "schema", "decision"]
//   occurred_from   ZONED DATETIME  datetime("0001-01-01T00:00Z")
//   occurred_until  ZONED DATETIME  datetime("9999-12-31T00:00Z")
// Returns      1 row
//   candidates  INTEGER
CALL () {
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at
          AND m.superseded_at > $at AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until
          AND m.lane IN $lanes AND m.kind IN $kinds
          AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
        LIMIT $pool
      )
    RETURN m
  UNION ALL
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_context_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at
          AND m.superseded_at > $at AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until
          AND m.lane IN $lanes AND m.kind IN $kinds
          AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
        LIMIT $pool
      )
    RETURN m
  UNION ALL
    CALL db.index.fulltext.queryNodes('memory_text_fulltext', $text_query, {limit: $pool}) YIELD node AS m
    RETURN m
  UNION ALL
    CALL db.index.fulltext.queryNodes('memory_text_fulltext', $context_query, {limit: $pool}) YIELD node AS m
    RETURN m
}
RETURN count(m) AS candidates;
