// The best memories for a question: vector, full text, and both for the turns around, fused by reciprocal rank, in one
// statement.
//
// Each channel ranks its own candidates from 1; a list adds weight / (rrf_k + rank). A memory about somebody else than
// the person asked about counts subject_mismatch times. Neighbours in the session of the best seeds add a share of the
// seed's score (operations.md, Recall; constants.md 2.5). What no index filters by is checked in each channel before its
// ranks; the full text's rows come best first, so its cut may stop the stream.
//
// Access   read
// Scope    user
// Params
//   user_id           STRING  "user-1"  whose memories they are
//   vector            LIST<FLOAT>  [x IN range(1, 384) | 0.05]  the question without names of persons, unit length
//   text_query        STRING  "+search_scope:k1^0 +search_text:(desk)"  Lucene, the owner inside
//   context_query     STRING  "+search_scope:k1^0 +context_text:(desk)"  Lucene, the owner inside
//   pool              INTEGER  100  candidates fetched from each index
//   visible_after     ZONED DATETIME  datetime("2031-01-01T00:00Z")  now; the earliest instant asks nothing; so for the next three
//   expired_after     ZONED DATETIME  datetime("2031-01-01T00:00Z")
//   invalid_after     ZONED DATETIME  datetime("2031-01-01T00:00Z")
//   superseded_after  ZONED DATETIME  datetime("2031-01-01T00:00Z")
//   created_until     ZONED DATETIME  datetime("9999-12-31T00:00Z")  known_at, or the far future
//   bucket_from       STRING  "default"  least and greatest bucket searched
//   bucket_until      STRING  "default"
//   lanes             LIST<STRING>  ["facts_prefs", "short_term", "working_set", "long_term", "mid_term"]  lanes searched
//   kinds             LIST<STRING>  ["episodic", "semantic", "schema", "decision"]  kinds searched
//   occurred_from     ZONED DATETIME  datetime("0001-01-01T00:00Z")  from, included
//   occurred_until    ZONED DATETIME  datetime("9999-12-31T00:00Z")  until, not included
//   filters           MAP  {buckets: null, categories: ["other"], tags: null, session_id: null, agent_id: null, name_keys: null, known_at: null, as_of: null}  what no index filters by; null: nothing
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
//   rif_cosine        FLOAT  0.7  what is nearer than this and not in the answer lost against it
//   rif_scan          INTEGER  50  how far down the vector channel the losers are sought
//   k                 INTEGER  10  most rows returned
// Returns      0..k rows, best first
//   memory         MAP  what our values are made of; dates as text, which the driver reads far faster
//   score          FLOAT  only orders
//   cosine         FLOAT  to the question, -1..1; null when the vector channel did not find it
//   semantic_rank  INTEGER  from 1; null when that channel did not find it; so for the next three
//   lexical_rank   INTEGER
//   context_rank   INTEGER
//   context_vector_rank  INTEGER
//   fused          FLOAT  the sum of the channels
//   subject        FLOAT  the factor for the subject
//   sequence       FLOAT  what neighbours added
//   losers         LIST<STRING>  the memories near the question that are not in the answer; the same in every row
CALL () {
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.visible_until > $visible_after AND m.expired_at > $expired_after
          AND m.invalid_at > $invalid_after AND m.superseded_at > $superseded_after AND m.created_at <= $created_until
          AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until AND m.lane IN $lanes AND m.kind IN $kinds
          AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
        LIMIT $pool
      ) SCORE AS vector_score
    WITH m, 2.0 * vector_score - 1.0 AS similarity
    WHERE ($filters IS NULL OR (
            ($filters.buckets IS NULL OR m.bucket IN $filters.buckets)
        AND ($filters.categories IS NULL OR m.category IN $filters.categories)
        AND ($filters.session_id IS NULL OR m.session_id = $filters.session_id)
        AND ($filters.agent_id IS NULL OR m.agent_id = $filters.agent_id)
        AND ($filters.tags IS NULL OR any(tag IN m.tags WHERE tag IN $filters.tags))
        AND ($filters.name_keys IS NULL OR EXISTS {
              MATCH (m)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id})
              WHERE named.name_key IN $filters.name_keys })
        AND ($filters.known_at IS NULL OR any(known IN [
              reduce(dates = [m.valid_at, m.invalid_at, m.invalidated_at, m.expired_at],
                     i IN reverse(range(0, size(coalesce(m.past_restored_at, [])) - 1)) |
                     CASE WHEN $filters.known_at < m.past_restored_at[i]
                          THEN [m.past_valid_at[i], m.past_invalid_at[i], m.past_invalidated_at[i],
                                m.past_expired_at[i]]
                          ELSE dates END)]
              WHERE known[0] <= $filters.as_of AND $filters.known_at < known[3]
                AND NOT (known[2] <= $filters.known_at AND known[1] <= $filters.as_of)))))
    WITH m, similarity ORDER BY similarity DESC
    WITH collect([m, similarity]) AS best
    UNWIND range(1, size(best)) AS place
    WITH best[place - 1] AS found, CASE WHEN place <= $channel AND best[place - 1][1] >= $semantic_floor THEN place ELSE 0 END AS rank
    WHERE rank > 0 OR found[1] > $rif_cosine
    RETURN found[0] AS m, found[1] AS cosine, CASE WHEN rank > 0 THEN $semantic_weight / ($rrf_k + rank) ELSE 0.0 END AS added,
           rank AS in_semantic, 0 AS in_context_vector, 0 AS in_lexical, 0 AS in_context
  UNION ALL
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_context_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.visible_until > $visible_after AND m.expired_at > $expired_after
          AND m.invalid_at > $invalid_after AND m.superseded_at > $superseded_after AND m.created_at <= $created_until
          AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until AND m.lane IN $lanes AND m.kind IN $kinds
          AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
        LIMIT $pool
      ) SCORE AS vector_score
    WITH m, 2.0 * vector_score - 1.0 AS similarity
    WHERE similarity >= $semantic_floor AND ($filters IS NULL OR (
            ($filters.buckets IS NULL OR m.bucket IN $filters.buckets)
        AND ($filters.categories IS NULL OR m.category IN $filters.categories)
        AND ($filters.session_id IS NULL OR m.session_id = $filters.session_id)
        AND ($filters.agent_id IS NULL OR m.agent_id = $filters.agent_id)
        AND ($filters.tags IS NULL OR any(tag IN m.tags WHERE tag IN $filters.tags))
        AND ($filters.name_keys IS NULL OR EXISTS {
              MATCH (m)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id})
              WHERE named.name_key IN $filters.name_keys })
        AND ($filters.known_at IS NULL OR any(known IN [
              reduce(dates = [m.valid_at, m.invalid_at, m.invalidated_at, m.expired_at],
                     i IN reverse(range(0, size(coalesce(m.past_restored_at, [])) - 1)) |
                     CASE WHEN $filters.known_at < m.past_restored_at[i]
                          THEN [m.past_valid_at[i], m.past_invalid_at[i], m.past_invalidated_at[i],
                                m.past_expired_at[i]]
                          ELSE dates END)]
              WHERE known[0] <= $filters.as_of AND $filters.known_at < known[3]
                AND NOT (known[2] <= $filters.known_at AND known[1] <= $filters.as_of)))))
    WITH m, similarity ORDER BY similarity DESC LIMIT $channel
    WITH collect(m) AS best
    UNWIND range(1, size(best)) AS rank
    RETURN best[rank - 1] AS m, -2.0 AS cosine, $context_vector_weight / ($rrf_k + rank) AS added,
           0 AS in_semantic, rank AS in_context_vector, 0 AS in_lexical, 0 AS in_context
  UNION ALL
    CALL db.index.fulltext.queryNodes('memory_text_fulltext', $text_query, {limit: $pool}) YIELD node AS m, score
    WITH m, score
    WHERE score > 0.0  // words that the analyser drops leave the owner alone in the query, which finds everything at 0
      AND m.user_id = $user_id AND m.visible_until > $visible_after AND m.expired_at > $expired_after
      AND m.invalid_at > $invalid_after AND m.superseded_at > $superseded_after AND m.created_at <= $created_until
      AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until AND m.lane IN $lanes AND m.kind IN $kinds
      AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
      AND ($filters IS NULL OR (
              ($filters.buckets IS NULL OR m.bucket IN $filters.buckets)
          AND ($filters.categories IS NULL OR m.category IN $filters.categories)
          AND ($filters.session_id IS NULL OR m.session_id = $filters.session_id)
          AND ($filters.agent_id IS NULL OR m.agent_id = $filters.agent_id)
          AND ($filters.tags IS NULL OR any(tag IN m.tags WHERE tag IN $filters.tags))
          AND ($filters.name_keys IS NULL OR EXISTS {
                MATCH (m)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id})
                WHERE named.name_key IN $filters.name_keys })
          AND ($filters.known_at IS NULL OR any(known IN [
                reduce(dates = [m.valid_at, m.invalid_at, m.invalidated_at, m.expired_at],
                       i IN reverse(range(0, size(coalesce(m.past_restored_at, [])) - 1)) |
                       CASE WHEN $filters.known_at < m.past_restored_at[i]
                            THEN [m.past_valid_at[i], m.past_invalid_at[i], m.past_invalidated_at[i],
                                  m.past_expired_at[i]]
                            ELSE dates END)]
                WHERE known[0] <= $filters.as_of AND $filters.known_at < known[3]
                  AND NOT (known[2] <= $filters.known_at AND known[1] <= $filters.as_of)))))
    WITH m, score LIMIT $channel
    WITH m, score ORDER BY score DESC, m.id DESC
    WITH collect(m) AS best
    UNWIND range(1, size(best)) AS rank
    RETURN best[rank - 1] AS m, -2.0 AS cosine, $lexical_weight / ($rrf_k + rank) AS added, 0 AS in_semantic, 0 AS in_context_vector, rank AS in_lexical, 0 AS in_context
  UNION ALL
    CALL db.index.fulltext.queryNodes('memory_text_fulltext', $context_query, {limit: $pool}) YIELD node AS m, score
    WITH m, score
    WHERE score > 0.0  // words that the analyser drops leave the owner alone in the query, which finds everything at 0
      AND m.user_id = $user_id AND m.visible_until > $visible_after AND m.expired_at > $expired_after
      AND m.invalid_at > $invalid_after AND m.superseded_at > $superseded_after AND m.created_at <= $created_until
      AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until AND m.lane IN $lanes AND m.kind IN $kinds
      AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
      AND ($filters IS NULL OR (
              ($filters.buckets IS NULL OR m.bucket IN $filters.buckets)
          AND ($filters.categories IS NULL OR m.category IN $filters.categories)
          AND ($filters.session_id IS NULL OR m.session_id = $filters.session_id)
          AND ($filters.agent_id IS NULL OR m.agent_id = $filters.agent_id)
          AND ($filters.tags IS NULL OR any(tag IN m.tags WHERE tag IN $filters.tags))
          AND ($filters.name_keys IS NULL OR EXISTS {
                MATCH (m)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id})
                WHERE named.name_key IN $filters.name_keys })
          AND ($filters.known_at IS NULL OR any(known IN [
                reduce(dates = [m.valid_at, m.invalid_at, m.invalidated_at, m.expired_at],
                       i IN reverse(range(0, size(coalesce(m.past_restored_at, [])) - 1)) |
                       CASE WHEN $filters.known_at < m.past_restored_at[i]
                            THEN [m.past_valid_at[i], m.past_invalid_at[i], m.past_invalidated_at[i],
                                  m.past_expired_at[i]]
                            ELSE dates END)]
                WHERE known[0] <= $filters.as_of AND $filters.known_at < known[3]
                  AND NOT (known[2] <= $filters.known_at AND known[1] <= $filters.as_of)))))
    WITH m, score LIMIT $channel
    WITH m, score ORDER BY score DESC, m.id DESC
    WITH collect(m) AS best
    UNWIND range(1, size(best)) AS rank
    RETURN best[rank - 1] AS m, -2.0 AS cosine, $context_weight / ($rrf_k + rank) AS added, 0 AS in_semantic, 0 AS in_context_vector, 0 AS in_lexical, rank AS in_context
}
WITH m, max(cosine) AS cosine, sum(added) AS fused, max(in_semantic) AS semantic_rank,
     max(in_context_vector) AS context_vector_rank, max(in_lexical) AS lexical_rank, max(in_context) AS context_rank

// Those near the question that no list brings in belong to the losers too, so they stay until the losers are known.
WITH *, m.id AS id, CASE WHEN fused > 0.0 THEN m.subject_keys ELSE [] END AS subjects
WITH *, CASE WHEN size($subject_keys) = 0 OR size(subjects) = 0 OR any(key IN subjects WHERE key IN $subject_keys)
             THEN 1.0 ELSE $subject_mismatch END AS subject
WITH {m: m, id: id, cosine: cosine, subject: subject, fused: fused, score: fused * subject,
      semantic_rank: semantic_rank, context_vector_rank: context_vector_rank, lexical_rank: lexical_rank,
      context_rank: context_rank} AS x
ORDER BY x.score DESC, x.cosine DESC, x.id DESC
WITH collect(CASE WHEN x.fused > 0.0 THEN x END) AS ranked, collect(CASE WHEN x.cosine > $rif_cosine THEN x END) AS near

// Sequence: the best pass a share of their score to their neighbours, found or not.
CALL (ranked) {
    UNWIND ranked[0..$seeds] AS seed
    WITH seed.m AS s, seed.score * $sequence_weight AS share WHERE share > 0.0
    MATCH (s)-[:NEXT]-(n:Memory)
    WHERE n.user_id = $user_id AND n.visible_until > $visible_after AND n.expired_at > $expired_after
      AND n.invalid_at > $invalid_after AND n.superseded_at > $superseded_after AND n.created_at <= $created_until
      AND n.bucket >= $bucket_from AND n.bucket <= $bucket_until AND n.lane IN $lanes AND n.kind IN $kinds
      AND n.occurred_at >= $occurred_from AND n.occurred_at < $occurred_until
      AND ($filters IS NULL OR (
              ($filters.buckets IS NULL OR n.bucket IN $filters.buckets)
          AND ($filters.categories IS NULL OR n.category IN $filters.categories)
          AND ($filters.session_id IS NULL OR n.session_id = $filters.session_id)
          AND ($filters.agent_id IS NULL OR n.agent_id = $filters.agent_id)
          AND ($filters.tags IS NULL OR any(tag IN n.tags WHERE tag IN $filters.tags))
          AND ($filters.name_keys IS NULL OR EXISTS {
                MATCH (n)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id})
                WHERE named.name_key IN $filters.name_keys })
          AND ($filters.known_at IS NULL OR any(known IN [
                reduce(dates = [n.valid_at, n.invalid_at, n.invalidated_at, n.expired_at],
                       i IN reverse(range(0, size(coalesce(n.past_restored_at, [])) - 1)) |
                       CASE WHEN $filters.known_at < n.past_restored_at[i]
                            THEN [n.past_valid_at[i], n.past_invalid_at[i], n.past_invalidated_at[i],
                                  n.past_expired_at[i]]
                            ELSE dates END)]
                WHERE known[0] <= $filters.as_of AND $filters.known_at < known[3]
                  AND NOT (known[2] <= $filters.known_at AND known[1] <= $filters.as_of)))))
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
WITH near, x, sequence, x.score + sequence AS score
ORDER BY score DESC, x.cosine DESC, x.id DESC LIMIT $k
WITH near, collect({x: x, sequence: sequence, score: score}) AS answer
WITH answer, [y IN near WHERE none(hit IN answer WHERE hit.x.id = y.id) | y.id][0..$rif_scan] AS losers
UNWIND answer AS hit
WITH hit.x AS x, hit.x.m AS m, hit.sequence AS sequence, hit.score AS score, losers
RETURN m {.id, .user_id, .text, .kind, .epistemic_type, .category, .horizon, .bucket, .lane, .general, .source, .confirmed,
          .confidence, .pinned, .base_strength, .spaced_access_count, .access_count, .encoding_factor, .activation_decay,
          .state, .emotions, .arousal, .valence, .speaker, .session_id, .agent_id, .external_id, .tags, .metadata,
          .people, .entities, .content_hash, .dates_by, .domain, .topic_key, .reasoning, .outcome, .date_texts, .dates_told_at,
          .date_first_days, .date_last_days, .past_valid_at, .past_invalid_at, .past_invalidated_at, .past_expired_at,
          .past_restored_at,
          anchor_at: toString(m.anchor_at), visible_until: toString(m.visible_until), dream_at: toString(m.dream_at),
          forgotten_at: toString(m.forgotten_at), archive_at: toString(m.archive_at),
          first_access_at: toString(m.first_access_at), last_accessed_at: toString(m.last_accessed_at),
          touched_at: toString(m.touched_at), labile_until: toString(m.labile_until),
          labile_since: toString(m.labile_since),
          refined_at: toString(m.refined_at), last_suppressed_at: toString(m.last_suppressed_at),
          occurred_at: toString(m.occurred_at), valid_at: toString(m.valid_at), invalid_at: toString(m.invalid_at),
          invalidated_at: toString(m.invalidated_at), created_at: toString(m.created_at),
          expired_at: toString(m.expired_at), superseded_at: toString(m.superseded_at),
          enrich_due_at: toString(m.enrich_due_at), parked_at: toString(m.parked_at),
          access_stamps: [x IN m.access_stamps | toString(x)]} AS memory,
       score, CASE WHEN x.cosine > -2.0 THEN x.cosine END AS cosine, nullIf(x.semantic_rank, 0) AS semantic_rank,
       nullIf(x.lexical_rank, 0) AS lexical_rank, nullIf(x.context_rank, 0) AS context_rank,
       nullIf(x.context_vector_rank, 0) AS context_vector_rank,
       x.fused AS fused, x.subject AS subject, sequence, losers
ORDER BY score DESC, cosine DESC, x.id DESC;
