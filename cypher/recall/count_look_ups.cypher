// The look-ups of recall alone, overlay too, which merely counts their rows: what recall is measured against.
//
// Access   read
// Scope    user
// Params
//   user_id           STRING  "user-1"  whose memories they are
//   vector            VECTOR  vector([x IN range(1, 384) | 0.05], 384, FLOAT32)  the question without names of persons, unit length
//   scopes            LIST<MAP>  [{overlay: false, bucket_from: "", bucket_until: "z", text_query: "+search_scope:k1^0 +search_text:(desk)", context_query: "+search_scope:k1^0 +context_text:(desk)"}]  the answer, then its overlay; Lucene with the owner inside; the least and greatest bucket
//   pool              INTEGER  100  fetched from each vector index
//   text_pool         INTEGER  60  fetched by words of the memory itself
//   context_text_pool  INTEGER  60  fetched by words of the turns around
//   at                ZONED DATETIME  datetime("2031-01-01T00:00Z")  now
//   channel_weights   MAP  {semantic: 1.0, lexical: 1.0, context: 1.0, context_vector: 0.0, signal: 0.0, graph: 0.3}  0 leaves a channel out
//   narrowed          BOOLEAN  true  false: what is current and visible is asked for, no more, for each further filter costs an index 0.3 ms
//   within            MAP  {visible_after: datetime("2031-01-01T00:00Z"), expired_after: datetime("2031-01-01T00:00Z"), invalid_after: datetime("2031-01-01T00:00Z"), superseded_after: datetime("2031-01-01T00:00Z"), touched_after: datetime("0001-01-01T00:00Z"), created_until: datetime("9999-12-31T00:00Z"), lanes: ["long_term"], kinds: ["episodic"], occurred_from: datetime("0001-01-01T00:00Z"), occurred_until: datetime("9999-12-31T00:00Z")}  what the indexes filter by; touched: used, or pinned; none of it where nothing is narrowed
// Returns      1 row
//   candidates  INTEGER
UNWIND $scopes AS scope
// Who has nothing in the overlay's bucket is spared its look-ups.
WITH scope WHERE NOT scope.overlay OR EXISTS { MATCH (g:Memory) WHERE g.user_id = $user_id AND g.bucket = scope.bucket_from }
CALL (scope) {
    CALL (scope) {
        WITH scope WHERE NOT $narrowed AND $channel_weights.semantic > 0.0
        MATCH (m:Memory)
          SEARCH m IN (
            VECTOR INDEX memory_embedding_vector FOR $vector
            WHERE m.user_id = $user_id AND m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at
              AND m.superseded_at > $at AND m.bucket >= scope.bucket_from AND m.bucket <= scope.bucket_until
            LIMIT $pool
          )
        RETURN m
      UNION ALL
        WITH scope WHERE $narrowed AND $channel_weights.semantic > 0.0
        MATCH (m:Memory)
          SEARCH m IN (
            VECTOR INDEX memory_embedding_vector FOR $vector
            WHERE m.user_id = $user_id AND m.visible_until > $within.visible_after AND m.expired_at > $within.expired_after
              AND m.invalid_at > $within.invalid_after AND m.superseded_at > $within.superseded_after
              AND m.created_at <= $within.created_until AND m.search_tier_at > $within.touched_after
              AND m.bucket >= scope.bucket_from AND m.bucket <= scope.bucket_until AND m.lane IN $within.lanes
              AND m.kind IN $within.kinds AND m.occurred_at >= $within.occurred_from AND m.occurred_at < $within.occurred_until
            LIMIT $pool
          )
        RETURN m
    }
    RETURN m
  UNION ALL
    CALL (scope) {
        WITH scope WHERE NOT $narrowed AND $channel_weights.context_vector > 0.0
        MATCH (m:Memory)
          SEARCH m IN (
            VECTOR INDEX memory_context_embedding_vector FOR $vector
            WHERE m.user_id = $user_id AND m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at
              AND m.superseded_at > $at AND m.bucket >= scope.bucket_from AND m.bucket <= scope.bucket_until
            LIMIT $pool
          )
        RETURN m
      UNION ALL
        WITH scope WHERE $narrowed AND $channel_weights.context_vector > 0.0
        MATCH (m:Memory)
          SEARCH m IN (
            VECTOR INDEX memory_context_embedding_vector FOR $vector
            WHERE m.user_id = $user_id AND m.visible_until > $within.visible_after AND m.expired_at > $within.expired_after
              AND m.invalid_at > $within.invalid_after AND m.superseded_at > $within.superseded_after
              AND m.created_at <= $within.created_until AND m.search_tier_at > $within.touched_after
              AND m.bucket >= scope.bucket_from AND m.bucket <= scope.bucket_until AND m.lane IN $within.lanes
              AND m.kind IN $within.kinds AND m.occurred_at >= $within.occurred_from AND m.occurred_at < $within.occurred_until
            LIMIT $pool
          )
        RETURN m
    }
    RETURN m
  UNION ALL
    UNWIND [true, false] AS alone
    WITH scope, alone WHERE CASE WHEN alone THEN $channel_weights.lexical ELSE $channel_weights.context END > 0.0
    CALL db.index.fulltext.queryNodes(
      'memory_text_fulltext', CASE WHEN alone THEN scope.text_query ELSE scope.context_query END,
      {limit: CASE WHEN alone THEN $text_pool ELSE $context_text_pool END}
    ) YIELD node AS m
    RETURN m
}
RETURN count(m) AS candidates;
