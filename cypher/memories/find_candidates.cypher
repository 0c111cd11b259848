// The current memories most like one about to be written, by vector and by words, with their cosines.
//
// The two lists are fused by reciprocal rank; what words alone found is measured against the vector too.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose memories they are
//   vector      LIST<FLOAT>  [x IN range(1, 384) | 0.05]  of the new text, unit length
//   text_query  STRING  "+search_scope:k1^0 +search_text:(desk)"  Lucene, the owner inside
//   kind        STRING  "semantic"  the kind of both
//   buckets     LIST<STRING>  ["default", "general"]  where to look
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   pool        INTEGER  50  candidates fetched from each index
//   rrf_k       FLOAT  5.0
//   limit       INTEGER  10  most rows returned
// Returns      0..limit rows, the likeliest first
//   memory  MAP  every property but the vectors
//   cosine  FLOAT  -1..1
CALL () {
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.kind = $kind AND m.bucket IN $buckets
          AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
        LIMIT $pool
      ) SCORE AS score
    WITH m, score ORDER BY score DESC, m.id
    WITH collect(m) AS found
    UNWIND range(0, size(found) - 1) AS i
    RETURN found[i] AS m, 1.0 / ($rrf_k + i + 1) AS part
  UNION ALL
    CALL db.index.fulltext.queryNodes('memory_text_fulltext', $text_query, {limit: $pool}) YIELD node AS m, score
    WHERE m.user_id = $user_id AND m.kind = $kind AND m.bucket IN $buckets
      AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
    WITH m, score ORDER BY score DESC, m.id
    WITH collect(m) AS found
    UNWIND range(0, size(found) - 1) AS i
    RETURN found[i] AS m, 1.0 / ($rrf_k + i + 1) AS part
}
WITH m, sum(part) AS score ORDER BY score DESC, m.id LIMIT $limit
WHERE m.user_id = $user_id AND m.embedding IS NOT NULL
RETURN m {.*, embedding: null, context_embedding: null} AS memory,
       2.0 * vector.similarity.cosine(m.embedding, $vector) - 1.0 AS cosine;
