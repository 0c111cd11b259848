// The look-ups of recall alone, overlay too, which merely counts their rows: what recall is measured against.
//
// Access   read
// Scope    user
// Params
//   user_id           STRING  "user-1"  whose memories they are
//   vector            LIST<FLOAT>  [x IN range(1, 384) | 0.05]  the question without names of persons, unit length
//   scopes            LIST<MAP>  [{overlay: false, bucket_from: "", bucket_until: "z", text_query: "+search_scope:k1^0 +search_text:(desk)", context_query: "+search_scope:k1^0 +context_text:(desk)"}]  the answer, then its overlay; Lucene with the owner inside; the least and greatest bucket
//   pool              INTEGER  100  fetched from each vector index
//   text_pool         INTEGER  60  fetched by each full-text query
//   visible_after     ZONED DATETIME  datetime("2031-01-01T00:00Z")  now; the earliest instant asks nothing; so for the next four
//   expired_after     ZONED DATETIME  datetime("2031-01-01T00:00Z")
//   invalid_after     ZONED DATETIME  datetime("2031-01-01T00:00Z")
//   superseded_after  ZONED DATETIME  datetime("2031-01-01T00:00Z")
//   touched_after     ZONED DATETIME  datetime("0001-01-01T00:00Z")
//   created_until     ZONED DATETIME  datetime("9999-12-31T00:00Z")  known_at, or the far future
//   lanes             LIST<STRING>  ["facts_prefs", "short_term", "working_set", "long_term", "mid_term"]  lanes searched
//   kinds             LIST<STRING>  ["episodic", "semantic", "schema", "decision"]  kinds searched
//   occurred_from     ZONED DATETIME  datetime("0001-01-01T00:00Z")  from, included
//   occurred_until    ZONED DATETIME  datetime("9999-12-31T00:00Z")  until, not included
// Returns      1 row
//   candidates  INTEGER
UNWIND $scopes AS scope
// Who has nothing in the overlay's bucket is spared its look-ups.
WITH scope WHERE NOT scope.overlay OR EXISTS { MATCH (g:Memory) WHERE g.user_id = $user_id AND g.bucket = scope.bucket_from }
CALL (scope) {
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.visible_until > $visible_after AND m.expired_at > $expired_after
          AND m.invalid_at > $invalid_after AND m.superseded_at > $superseded_after AND m.created_at <= $created_until
          AND m.search_tier_at > $touched_after AND m.bucket >= scope.bucket_from AND m.bucket <= scope.bucket_until
          AND m.lane IN $lanes AND m.kind IN $kinds AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
        LIMIT $pool
      )
    RETURN m
  UNION ALL
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_context_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.visible_until > $visible_after AND m.expired_at > $expired_after
          AND m.invalid_at > $invalid_after AND m.superseded_at > $superseded_after AND m.created_at <= $created_until
          AND m.search_tier_at > $touched_after AND m.bucket >= scope.bucket_from AND m.bucket <= scope.bucket_until
          AND m.lane IN $lanes AND m.kind IN $kinds AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
        LIMIT $pool
      )
    RETURN m
  UNION ALL
    UNWIND [true, false] AS alone
    CALL db.index.fulltext.queryNodes(
      'memory_text_fulltext', CASE WHEN alone THEN scope.text_query ELSE scope.context_query END, {limit: $text_pool}
    ) YIELD node AS m
    RETURN m
}
RETURN count(m) AS candidates;
