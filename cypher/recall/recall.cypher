// The best memories for a question: vector, full text and context text, fused by reciprocal rank, in one statement.
//
// Each channel ranks its own candidates from 1; a list adds weight / (rrf_k + rank). A memory about somebody else than
// the person asked about counts subject_mismatch times. Neighbours in the session of the best seeds add a share of the
// seed's score (operations.md, Recall; constants.md 2.5).
//
// Access   read
// Scope    user
// Params
//   user_id           STRING  "user-1"  whose memories they are
//   vector            LIST<FLOAT>  [x IN range(1, 384) | 0.05]  the question without names of persons, unit length
//   text_query        STRING  "+search_scope:k1^0 +search_text:(desk)"  Lucene, the owner inside
//   context_query     STRING  "+search_scope:k1^0 +context_text:(desk)"  Lucene, the owner inside
//   at                ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   pool              INTEGER  100  candidates fetched from each index
//   channel           INTEGER  20  candidates kept of each channel
//   semantic_floor    FLOAT  0.3  least cosine
//   rrf_k             FLOAT  5.0
//   semantic_weight   FLOAT  1.0
//   lexical_weight    FLOAT  1.0
//   context_weight    FLOAT  1.0  of the full text of the turns around
//   context_vector_weight  FLOAT  1.0  of the vector of the turns around
//   subject_keys      LIST<STRING>  ["ana"]  persons that the question names; empty: nobody
//   subject_mismatch  FLOAT  0.5
//   seeds             INTEGER  3  how many of the best pass score on to their neighbours
//   sequence_weight   FLOAT  0.15  share of the seed's score
//   bucket_from       STRING  "default"  least and greatest bucket searched
//   bucket_until      STRING  "default"
//   lanes             LIST<STRING>  ["facts_prefs", "short_term", "working_set", "long_term", "mid_term"]  lanes searched
//   kinds             LIST<STRING>  ["episodic", "semantic", "schema", "decision"]  kinds searched
//   occurred_from     ZONED DATETIME  datetime("0001-01-01T00:00Z")  from, included
//   occurred_until    ZONED DATETIME  datetime("9999-12-31T00:00Z")  until, not included
//   filters           MAP  {buckets: null, categories: ["other"], tags: null, session_id: null, agent_id: null, name_keys: null}  what no index filters by; null: nothing
//   k                 INTEGER  10  most rows returned
// Returns      0..k rows, best first
//   memory         MAP  every property but the vectors
//   score          FLOAT  only orders
//   cosine         FLOAT  to the question, -1..1; null when the vector channel did not find it
//   semantic_rank  INTEGER  from 1; null when that channel did not find it; so for the next three
//   lexical_rank   INTEGER
//   context_rank   INTEGER
//   context_vector_rank  INTEGER
//   fused          FLOAT  the sum of the channels
//   subject        FLOAT  the factor for the subject
//   sequence       FLOAT  what neighbours added
CALL () {
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at
          AND m.superseded_at > $at AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until
          AND m.lane IN $lanes AND m.kind IN $kinds
          AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
        LIMIT $pool
      ) SCORE AS vector_score
    RETURN m, 2.0 * vector_score - 1.0 AS cosine, -2.0 AS around, 0.0 AS lexical, 0.0 AS context
  UNION ALL
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_context_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at
          AND m.superseded_at > $at AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until
          AND m.lane IN $lanes AND m.kind IN $kinds
          AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
        LIMIT $pool
      ) SCORE AS vector_score
    RETURN m, -2.0 AS cosine, 2.0 * vector_score - 1.0 AS around, 0.0 AS lexical, 0.0 AS context
  UNION ALL
    CALL db.index.fulltext.queryNodes('memory_text_fulltext', $text_query, {limit: $pool}) YIELD node AS m, score
    RETURN m, -2.0 AS cosine, -2.0 AS around, score AS lexical, 0.0 AS context
  UNION ALL
    CALL db.index.fulltext.queryNodes('memory_text_fulltext', $context_query, {limit: $pool}) YIELD node AS m, score
    RETURN m, -2.0 AS cosine, -2.0 AS around, 0.0 AS lexical, score AS context
}
WITH m, max(cosine) AS cosine, max(around) AS around, max(lexical) AS lexical, max(context) AS context
WHERE m.user_id = $user_id AND m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at
  AND m.superseded_at > $at AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until
  AND m.lane IN $lanes AND m.kind IN $kinds
  AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
  AND ($filters IS NULL OR (
        ($filters.buckets IS NULL OR m.bucket IN $filters.buckets)
    AND ($filters.categories IS NULL OR m.category IN $filters.categories)
    AND ($filters.session_id IS NULL OR m.session_id = $filters.session_id)
    AND ($filters.agent_id IS NULL OR m.agent_id = $filters.agent_id)
    AND ($filters.tags IS NULL OR any(tag IN m.tags WHERE tag IN $filters.tags))
    AND ($filters.name_keys IS NULL OR EXISTS {
          MATCH (m)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id}) WHERE named.name_key IN $filters.name_keys })))
WITH m, m.id AS id, cosine, around, lexical, context,
     CASE WHEN size($subject_keys) = 0 OR size(m.subject_keys) = 0 OR any(key IN m.subject_keys WHERE key IN $subject_keys)
          THEN 1.0 ELSE $subject_mismatch END AS subject

// Ranks, from 1, channel by channel; 0 where the channel did not find the memory.
ORDER BY cosine DESC, id DESC
WITH collect({m: m, id: id, cosine: cosine, around: around, lexical: lexical, context: context, subject: subject}) AS found
UNWIND range(0, size(found) - 1) AS i
WITH found[i] AS x, CASE WHEN i < $channel AND found[i].cosine >= $semantic_floor THEN i + 1 ELSE 0 END AS semantic_rank
ORDER BY x.around DESC, x.id DESC
WITH collect([x, semantic_rank]) AS found
UNWIND range(0, size(found) - 1) AS i
WITH found[i][0] AS x, found[i][1] AS semantic_rank,
     CASE WHEN i < $channel AND found[i][0].around >= $semantic_floor THEN i + 1 ELSE 0 END AS context_vector_rank
ORDER BY x.lexical DESC, x.id DESC
WITH collect([x, semantic_rank, context_vector_rank]) AS found
UNWIND range(0, size(found) - 1) AS i
WITH found[i][0] AS x, found[i][1] AS semantic_rank, found[i][2] AS context_vector_rank,
     CASE WHEN i < $channel AND found[i][0].lexical > 0.0 THEN i + 1 ELSE 0 END AS lexical_rank
ORDER BY x.context DESC, x.id DESC
WITH collect([x, semantic_rank, context_vector_rank, lexical_rank]) AS found
UNWIND range(0, size(found) - 1) AS i
WITH found[i][0] AS x, found[i][1] AS semantic_rank, found[i][2] AS context_vector_rank, found[i][3] AS lexical_rank,
     CASE WHEN i < $channel AND found[i][0].context > 0.0 THEN i + 1 ELSE 0 END AS context_rank

// Fusion.
WITH x, semantic_rank, context_vector_rank, lexical_rank, context_rank,
     CASE WHEN semantic_rank > 0 THEN $semantic_weight / ($rrf_k + semantic_rank) ELSE 0.0 END
   + CASE WHEN context_vector_rank > 0 THEN $context_vector_weight / ($rrf_k + context_vector_rank) ELSE 0.0 END
   + CASE WHEN lexical_rank > 0 THEN $lexical_weight / ($rrf_k + lexical_rank) ELSE 0.0 END
   + CASE WHEN context_rank > 0 THEN $context_weight / ($rrf_k + context_rank) ELSE 0.0 END AS fused
WHERE fused > 0.0
WITH {m: x.m, id: x.id, cosine: x.cosine, subject: x.subject, fused: fused, score: fused * x.subject,
      semantic_rank: semantic_rank, context_vector_rank: context_vector_rank, lexical_rank: lexical_rank,
      context_rank: context_rank} AS x
ORDER BY x.score DESC, x.cosine DESC, x.id DESC
WITH collect(x) AS ranked

// Sequence: the best pass a share of their score to their neighbours, found or not.
CALL (ranked) {
    UNWIND ranked[0..$seeds] AS seed
    WITH seed.m AS s, seed.score * $sequence_weight AS share WHERE share > 0.0
    MATCH (s)-[:NEXT]-(n:Memory)
    WHERE n.user_id = $user_id AND n.visible_until > $at AND n.expired_at > $at AND n.invalid_at > $at
      AND n.superseded_at > $at AND n.bucket >= $bucket_from AND n.bucket <= $bucket_until
      AND n.lane IN $lanes AND n.kind IN $kinds
      AND n.occurred_at >= $occurred_from AND n.occurred_at < $occurred_until
      AND ($filters IS NULL OR (
            ($filters.buckets IS NULL OR n.bucket IN $filters.buckets)
        AND ($filters.categories IS NULL OR n.category IN $filters.categories)
        AND ($filters.session_id IS NULL OR n.session_id = $filters.session_id)
        AND ($filters.agent_id IS NULL OR n.agent_id = $filters.agent_id)
        AND ($filters.tags IS NULL OR any(tag IN n.tags WHERE tag IN $filters.tags))
        AND ($filters.name_keys IS NULL OR EXISTS {
              MATCH (n)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id}) WHERE named.name_key IN $filters.name_keys })))
    WITH n, max(share) AS share
    RETURN collect({m: n, share: share}) AS neighbours
}
CALL (ranked, neighbours) {
    UNWIND ranked AS x
    RETURN x, reduce(share = 0.0, n IN neighbours | CASE WHEN n.m = x.m THEN n.share ELSE share END) AS sequence
  UNION ALL
    UNWIND neighbours AS n
    WITH n WHERE none(x IN ranked WHERE x.m = n.m)
    RETURN {m: n.m, id: n.m.id, cosine: -2.0, subject: 1.0, fused: 0.0, score: 0.0, semantic_rank: 0,
            context_vector_rank: 0, lexical_rank: 0, context_rank: 0} AS x,
           n.share AS sequence
}
WITH x, sequence, x.score + sequence AS score
ORDER BY score DESC, x.cosine DESC, x.id DESC LIMIT $k
WITH x, x.m AS m, sequence, score
RETURN m {.*, embedding: null, context_embedding: null} AS memory, score,
       CASE WHEN x.cosine > -2.0 THEN x.cosine END AS cosine, nullIf(x.semantic_rank, 0) AS semantic_rank,
       nullIf(x.lexical_rank, 0) AS lexical_rank, nullIf(x.context_rank, 0) AS context_rank,
       nullIf(x.context_vector_rank, 0) AS context_vector_rank,
       x.fused AS fused, x.subject AS subject, sequence
ORDER BY score DESC, x.cosine DESC, x.id DESC;
