// The best memories for a question, and beside them those of the general bucket, in one statement.
//
// For each scope: up to five channels give candidates (vector, full text, both for the turns around, and what is fresh
// in mind); each is ranked; the features of each candidate are summed with their weights, or the ranks fused; the best
// send activation along at most two links; the best k stay (operations.md, Recall; constants.md 2.5; ranking.md). What
// no index filters by is checked on the candidates, before their ranks.
//
// Access   read
// Scope    user
// Params
//   user_id           STRING  "user-1"  whose memories they are
//   vector            VECTOR  vector([x IN range(1, 384) | 0.05], 384, FLOAT32)  the question without names of persons, unit length
//   scopes            LIST<MAP>  [{overlay: false, bucket_from: "", bucket_until: "z", text_query: "+search_scope:k1^0 +search_text:(desk)", context_query: "+search_scope:k1^0 +context_text:(desk)", k: 10, most: 10, channel: 70}]  the answer, then its overlay; Lucene with the owner inside; the least and greatest bucket; rows looked at and rows wanted; candidates ranked of each channel
//   pool              INTEGER  100  fetched from each vector index, more than are kept, so that those are the nearest indeed
//   depth             INTEGER  50  kept of the memories' own vectors
//   context_depth     INTEGER  50  kept of those of the turns around
//   text_pool         INTEGER  60  fetched by words of the memory itself
//   context_text_pool  INTEGER  60  fetched by words of the turns around
//   signal_pool       INTEGER  0  the most recent and the most used memories looked at; 0: none
//   candidates        INTEGER  100  the best of the fused ranks, whose features are summed
//   at                ZONED DATETIME  datetime("2031-01-01T00:00Z")  now
//   narrowed          BOOLEAN  true  false: what is current and visible is asked for, no more, for each further filter costs an index 0.3 ms
//   within            MAP  {visible_after: datetime("2031-01-01T00:00Z"), expired_after: datetime("2031-01-01T00:00Z"), invalid_after: datetime("2031-01-01T00:00Z"), superseded_after: datetime("2031-01-01T00:00Z"), touched_after: datetime("0001-01-01T00:00Z"), archived_after: datetime("2031-01-01T00:00Z"), created_until: datetime("9999-12-31T00:00Z"), lanes: ["long_term"], kinds: ["episodic"], occurred_from: datetime("0001-01-01T00:00Z"), occurred_until: datetime("9999-12-31T00:00Z")}  what the indexes filter by; touched: used, or pinned; archived: those in state archive are a last resort; none of it where nothing is narrowed
//   filtered          BOOLEAN  true  whether anything is asked that no index filters by
//   filters           MAP  {buckets: null, categories: ["other"], tags: null, session_id: null, agent_id: null, name_keys: null, schema_id: null, known_at: null, as_of: null}  that; null: not that
//   semantic_floor    FLOAT  0.0  least cosine
//   last_resort_cosine  FLOAT  0.3  what is nearer than this by meaning keeps those in state archive away
//   rrf_k             FLOAT  5.0
//   channel_weights   MAP  {semantic: 1.0, lexical: 1.0, context: 1.0, context_vector: 0.0, signal: 0.0, graph: 0.3}  of the ranks; 0 leaves a channel out
//   subject_keys      LIST<STRING>  ["ana"]  persons that the question names; empty: nobody
//   entity_keys       LIST<STRING>  ["oak desk"]  other names in it
//   subject_mismatch  FLOAT  0.5
//   asks_when         FLOAT  0.0  1: the question asks for a time
//   asks_name         FLOAT  0.0  1: it asks who, where or which
//   days              LIST<MAP>  [{from: datetime("2031-01-01T00:00Z"), until: datetime("2031-01-02T00:00Z")}]  spans that the question names
//   signal_rules      MAP  {activation: 0.6, confidence: 0.4, slope: 0.5, min_confidence: 0.2, theta: -2.5, min_age_hours: 0.0166, time_scale: 1.0}
//   learned           BOOLEAN  true  the weighted sum of features; false: reciprocal rank fusion and its factors
//   weights           MAP  {vector: 1.0, context: 1.0, ranks: 1.0, session_max: 1.0, before: 1.0, before_subject: -1.0, date: 1.0, time: 1.0, is_question: -1.0, answers_question: 1.0, length: 1.0, names: 1.0, asked_names: 1.0, heading: 1.0, subject: 1.0, signal: 0.0, arousal: 0.1, graph: 1.0}  of the features
//   most_words        INTEGER  30  longer texts count as so many words
//   date_factor       FLOAT  1.3  without learned weights: for a memory of a day that the question names
//   arousal_gain      FLOAT  0.3  without learned weights
//   sequence_seeds    INTEGER  3  without learned weights: the best pass score on to their neighbours in the session
//   sequence_weight   FLOAT  0.15  share of the seed's score
//   lift_drawn        BOOLEAN  true  what was distilled stands no lower than the best of its sources that was found with it
//   seeds             INTEGER  5  how many of the best send activation along their links; 0: none
//   gains             MAP  {LEADS_TO: 1.0, BECAUSE_OF: 1.0, ENABLES: 1.0, PREVENTS: 1.0, PRECEDES: 1.0, SUCCEEDS: 1.0, CONCURRENT_WITH: 1.0, NEXT: 1.0, REFERS_TO: 1.0, MENTIONED_IN: 1.0, SHARES_EMOTION: 1.0, CONTRASTS_EMOTION: 1.0, EVOLVES_FROM: 1.0, SIMILAR_TO: 0.3}  of each type of link under the question's intent
//   floor_gains       MAP  {LEADS_TO: 1.0, BECAUSE_OF: 1.0, ENABLES: 1.0, PREVENTS: 1.0, PRECEDES: 0.0, SUCCEEDS: 0.0, CONCURRENT_WITH: 0.0, NEXT: 1.0, REFERS_TO: 1.0, MENTIONED_IN: 1.0, SHARES_EMOTION: 0.0, CONTRASTS_EMOTION: 0.0, EVOLVES_FROM: 1.0, SIMILAR_TO: 0.0}  the same for links that rules found
//   hops              INTEGER  2  1 or 2
//   hop_factor        FLOAT  0.8
//   fan_power         FLOAT  0.5
//   spread_fan        INTEGER  10  strongest links walked of a node
//   spread_floor      FLOAT  0.1  activation at or below this ends a walk
//   min_weight        FLOAT  0.1  weaker links are not walked
//   hub_degree        INTEGER  500  a node with more links is reached but not expanded
//   rif_cosine        FLOAT  0.7  what is nearer than this and not in the answer lost against it
//   rif_scan          INTEGER  50  how far down the vector channel the losers are sought
// Returns      1 row, since each row costs the driver several reads; none when nothing is found
//   hits     LIST<MAP>  those of the answer first, best first:
//      memory      values of what our memory is made of; dates as text, which the driver reads far faster
//      overlay     whether it belongs to the overlay
//      score       only orders
//      cosine      to the question, -1..1; null when the vector channel did not find it
//      features    values of what the learned sum is made of; null: only links found it
//      ranks       values: rank in each channel, from 1; 0: that channel did not find it; the factor of the subject, the fused ranks, what sources lent, what links added
//      activation  that links brought
//      sequence    share of a seed's score
//      path        how activation came: node_id reached, type, weight and reason of the link, source, target, seed, activation there
//   losers   LIST<STRING>  the memories near the question that are not in the answer
//   columns  MAP  the names of the values in `memory`, `features` and `ranks`: said once, not with each hit, which takes 0.4 ms less
UNWIND $scopes AS scope
// Who has nothing in the overlay's bucket is spared its look-ups.
WITH scope WHERE NOT scope.overlay OR EXISTS { MATCH (g:Memory) WHERE g.user_id = $user_id AND g.bucket = scope.bucket_from }
CALL (scope) {
    CALL (scope) {
        CALL (scope) {
            WITH scope WHERE NOT $narrowed AND $channel_weights.semantic > 0.0
            MATCH (m:Memory)
              SEARCH m IN (
                VECTOR INDEX memory_embedding_vector FOR $vector
                WHERE m.user_id = $user_id AND m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at
                  AND m.superseded_at > $at AND m.bucket >= scope.bucket_from AND m.bucket <= scope.bucket_until
                LIMIT $pool
              ) SCORE AS vector_score
            RETURN m, vector_score
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
              ) SCORE AS vector_score
            RETURN m, vector_score
        }
        WITH m, 2.0 * vector_score - 1.0 AS cosine WHERE cosine >= $semantic_floor
        WITH m, cosine ORDER BY cosine DESC LIMIT $depth
        RETURN m, cosine, null AS context_cosine, null AS words, null AS context_words, null AS signal
      UNION ALL
        CALL (scope) {
            WITH scope WHERE NOT $narrowed AND $channel_weights.context_vector > 0.0
            MATCH (m:Memory)
              SEARCH m IN (
                VECTOR INDEX memory_context_embedding_vector FOR $vector
                WHERE m.user_id = $user_id AND m.visible_until > $at AND m.expired_at > $at AND m.invalid_at > $at
                  AND m.superseded_at > $at AND m.bucket >= scope.bucket_from AND m.bucket <= scope.bucket_until
                LIMIT $pool
              ) SCORE AS vector_score
            RETURN m, vector_score
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
              ) SCORE AS vector_score
            RETURN m, vector_score
        }
        WITH m, 2.0 * vector_score - 1.0 AS cosine WHERE cosine >= $semantic_floor
        WITH m, cosine ORDER BY cosine DESC LIMIT $context_depth
        RETURN m, null AS cosine, cosine AS context_cosine, null AS words, null AS context_words, null AS signal
      UNION ALL
        UNWIND [true, false] AS alone
        WITH scope, alone WHERE CASE WHEN alone THEN $channel_weights.lexical ELSE $channel_weights.context END > 0.0
        CALL db.index.fulltext.queryNodes(
          'memory_text_fulltext', CASE WHEN alone THEN scope.text_query ELSE scope.context_query END,
          {limit: CASE WHEN alone THEN $text_pool ELSE $context_text_pool END}
        ) YIELD node AS m, score
        WITH m, score, alone WHERE score > 0.0  // words that the analyser drops leave the owner alone in the query, which finds everything at 0
        RETURN m, null AS cosine, null AS context_cosine, CASE WHEN alone THEN score END AS words,
               CASE WHEN alone THEN null ELSE score END AS context_words, null AS signal
      UNION ALL
        WITH scope WHERE $signal_pool > 0
        CALL () {
            MATCH (m:Memory) WHERE m.user_id = $user_id AND m.anchor_at <= $at
            RETURN m ORDER BY m.anchor_at DESC LIMIT $signal_pool
          UNION
            MATCH (m:Memory) WHERE m.user_id = $user_id AND m.access_count > 0
            RETURN m ORDER BY m.access_count DESC LIMIT $signal_pool
        }
        WITH m WHERE m.confidence >= $signal_rules.min_confidence
        WITH m, [stamp IN m.access_stamps |
                 CASE WHEN stamp > $at THEN 0.0 ELSE duration.inSeconds(stamp, $at).seconds / 3600.0 * $signal_rules.time_scale END] AS ages
        WITH m, log(reduce(sum = 0.0, i IN range(0, size(ages) - 1) |
                 sum + CASE WHEN i = 0 THEN m.encoding_factor ELSE 1.0 END
                     * (CASE WHEN ages[i] < $signal_rules.min_age_hours THEN $signal_rules.min_age_hours ELSE ages[i] END) ^ (-m.activation_decay))) AS activation
        RETURN m, null AS cosine, null AS context_cosine, null AS words, null AS context_words,
               $signal_rules.activation / (1.0 + exp((activation - $signal_rules.theta) / -$signal_rules.slope))
               + $signal_rules.confidence * m.confidence AS signal
    }
    WITH m, max(cosine) AS cosine, max(context_cosine) AS context_cosine, max(words) AS words, max(context_words) AS context_words,
         max(signal) AS signal
    // All that is asked of a candidate is read at once: for each reading the server walks the chain of its properties. It does so
    // only where nothing else asks `m` for a property.
    WITH {m: m, cosine: cosine, context_cosine: context_cosine, words: words, context_words: context_words, signal: signal,
          p: m {.id, .bucket, .occurred_at, .archive_at, .session_id, .subject_keys, .has_context, .date_texts, .is_question,
                .answers_question, .word_count, .name_count, .heading_key, .arousal, .consolidated_at},
          // What a vector index gave is visible; the full text knows nothing but the owner and the bucket.
          seen: CASE WHEN cosine IS NOT NULL OR context_cosine IS NOT NULL THEN null
                     WHEN $narrowed THEN m {.user_id, .visible_until, .expired_at, .invalid_at, .superseded_at, .created_at,
                                            .search_tier_at, .lane, .kind}
                     ELSE m {.user_id, .visible_until, .expired_at, .invalid_at, .superseded_at} END} AS x
    WHERE x.seen IS NULL OR (
              x.seen.user_id = $user_id AND x.p.bucket >= scope.bucket_from AND x.p.bucket <= scope.bucket_until AND
              CASE WHEN NOT $narrowed
                   THEN x.seen.visible_until > $at AND x.seen.expired_at > $at AND x.seen.invalid_at > $at
                        AND x.seen.superseded_at > $at
                   ELSE x.seen.visible_until > $within.visible_after AND x.seen.expired_at > $within.expired_after
                        AND x.seen.invalid_at > $within.invalid_after AND x.seen.superseded_at > $within.superseded_after
                        AND x.seen.created_at <= $within.created_until AND x.seen.search_tier_at > $within.touched_after
                        AND x.seen.lane IN $within.lanes AND x.seen.kind IN $within.kinds
                        AND x.p.occurred_at >= $within.occurred_from AND x.p.occurred_at < $within.occurred_until END)
    WITH x, x.p AS p, x.m AS candidate
    WHERE NOT $filtered OR (
            (scope.overlay OR $filters.buckets IS NULL OR p.bucket IN $filters.buckets)
        AND ($filters.categories IS NULL OR x.m.category IN $filters.categories)
        AND ($filters.session_id IS NULL OR p.session_id = $filters.session_id)
        AND ($filters.agent_id IS NULL OR x.m.agent_id = $filters.agent_id)
        AND ($filters.tags IS NULL OR any(tag IN x.m.tags WHERE tag IN $filters.tags))
        AND ($filters.schema_id IS NULL OR EXISTS { MATCH (:Schema {id: $filters.schema_id, user_id: $user_id})-[:ABSTRACTS]->(candidate) })
        AND ($filters.name_keys IS NULL OR EXISTS {
              MATCH (candidate)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id})
              WHERE named.name_key IN $filters.name_keys })
        AND ($filters.known_at IS NULL OR any(known IN [
              reduce(dates = [x.m.valid_at, x.m.invalid_at, x.m.invalidated_at, x.m.expired_at],
                     i IN reverse(range(0, size(coalesce(x.m.past_restored_at, [])) - 1)) |
                     CASE WHEN $filters.known_at < x.m.past_restored_at[i]
                          THEN [x.m.past_valid_at[i], x.m.past_invalid_at[i], x.m.past_invalidated_at[i], x.m.past_expired_at[i]]
                          ELSE dates END)]
              WHERE known[0] <= $filters.as_of AND $filters.known_at < known[3]
                AND NOT (known[2] <= $filters.known_at AND known[1] <= $filters.as_of))))
    WITH collect(x) AS all
    WITH CASE WHEN any(x IN all WHERE x.p.archive_at > coalesce($within.archived_after, $at) AND (x.cosine >= $last_resort_cosine OR x.words IS NOT NULL))
                     THEN [x IN all WHERE x.p.archive_at > coalesce($within.archived_after, $at)] ELSE all END AS all

    // Ranks: a place in the channel's falling scores; equals share one.
    WITH all, coll.sort([x IN all WHERE x.cosine IS NOT NULL | -x.cosine]) AS cosines,
         coll.sort([x IN all WHERE x.context_cosine IS NOT NULL | -x.context_cosine]) AS context_cosines,
         coll.sort([x IN all WHERE x.words IS NOT NULL | -x.words]) AS scores,
         coll.sort([x IN all WHERE x.context_words IS NOT NULL | -x.context_words]) AS context_scores,
         coll.sort([x IN all WHERE x.signal IS NOT NULL | -x.signal]) AS signals
    UNWIND all AS x
    WITH x, coalesce(coll.indexOf(cosines, -x.cosine), -1) AS semantic,
         coalesce(coll.indexOf(context_cosines, -x.context_cosine), -1) AS context_vector,
         coalesce(coll.indexOf(scores, -x.words), -1) AS lexical,
         coalesce(coll.indexOf(context_scores, -x.context_words), -1) AS context,
         coalesce(coll.indexOf(signals, -x.signal), -1) AS signal
    WITH x, CASE WHEN semantic < scope.channel THEN semantic + 1 ELSE 0 END AS semantic,
         CASE WHEN context_vector < scope.channel THEN context_vector + 1 ELSE 0 END AS context_vector,
         CASE WHEN lexical < scope.channel THEN lexical + 1 ELSE 0 END AS lexical,
         CASE WHEN context < scope.channel THEN context + 1 ELSE 0 END AS context,
         CASE WHEN signal < scope.channel THEN signal + 1 ELSE 0 END AS signal
    WITH x, {semantic: semantic, context_vector: context_vector, lexical: lexical, context: context, signal: signal} AS ranks,
         CASE WHEN semantic > 0 THEN $channel_weights.semantic / ($rrf_k + semantic) ELSE 0.0 END
         + CASE WHEN context_vector > 0 THEN $channel_weights.context_vector / ($rrf_k + context_vector) ELSE 0.0 END
         + CASE WHEN lexical > 0 THEN $channel_weights.lexical / ($rrf_k + lexical) ELSE 0.0 END
         + CASE WHEN context > 0 THEN $channel_weights.context / ($rrf_k + context) ELSE 0.0 END
         + CASE WHEN signal > 0 THEN $channel_weights.signal / ($rrf_k + signal) ELSE 0.0 END AS fused
    ORDER BY fused DESC, x.p.id DESC  // not LIMIT: that would hold the lists above once for each row
    WITH collect({x: x, ranks: ranks, fused: fused})[0..$candidates] AS ys

    // The features of each candidate.
    UNWIND ys AS y
    WITH y.x AS x, y.ranks AS ranks, y.fused AS fused
    WITH x, x.p AS p, ranks, fused, CASE WHEN size($subject_keys) = 0 THEN [] ELSE x.p.subject_keys END AS about
    WITH x, p, ranks, fused, any(key IN about WHERE key IN $subject_keys) AS named, about
    WITH x, p, ranks, fused, named, CASE WHEN named OR about IS NULL OR size(about) = 0 THEN 1.0 ELSE $subject_mismatch END AS subject
    WITH x, p, ranks, fused, subject, named,
         coalesce(x.words, 0.0) * subject AS words,
         CASE WHEN x.cosine > 0.0 THEN x.cosine * subject ELSE 0.0 END AS vector,
         // Who stands alone is its own context.
         coalesce(CASE WHEN p.has_context THEN x.context_words ELSE x.words END, 0.0) AS context_words
    WITH collect({x: x, p: p, ranks: ranks, subject: subject, named: named, words: words, vector: vector, context_words: context_words,
                  fused: fused}) AS ys,
         max(words) AS most_words, max(vector) AS most_vector, max(context_words) AS most_context_words, max(fused) AS most_fused
    UNWIND ys AS y
    WITH y, CASE WHEN most_words > 0.0 THEN y.words / most_words ELSE 0.0 END AS text,
         CASE WHEN most_vector > 0.0 THEN y.vector / most_vector ELSE 0.0 END AS vector,
         CASE WHEN most_context_words > 0.0 THEN y.context_words / most_context_words ELSE 0.0 END AS context,
         CASE WHEN most_fused > 0.0 THEN y.fused / most_fused ELSE 0.0 END AS ranks
    ORDER BY y.p.occurred_at, y.p.id  // what was found of a session stands as it was said
    WITH coalesce(y.p.session_id, y.p.id) AS session, max(text + vector) AS session_max,
         collect({y: y, vector: vector, context: context, ranks: ranks, sum: text + vector}) AS zs
    WITH collect({zs: zs, session_max: session_max}) AS sessions, max(session_max) AS most_max
    UNWIND sessions AS session
    UNWIND range(0, size(session.zs) - 1) AS i
    WITH session.zs[i] AS z, CASE WHEN i > 0 THEN session.zs[i - 1] END AS b, session.session_max AS session_max,
         CASE WHEN most_max > 0.0 THEN most_max ELSE 1.0 END AS most_max
    WITH z, z.y AS y, z.y.p AS p, session_max / most_max AS session_max, coalesce(b.sum, 0.0) / most_max AS before,
         CASE WHEN b.y.named THEN 1.0 ELSE 0.0 END AS before_subject, coalesce(z.y.p.name_count, 0) AS names,
         coalesce(z.y.p.word_count, 0) AS words
    WITH y, z.vector AS vector, z.context AS context, z.ranks AS ranks, p, session_max, before, before_subject,
         CASE WHEN names < 3 THEN names ELSE 3 END / 3.0 AS names, CASE WHEN words < $most_words THEN words ELSE $most_words END AS words
    WITH y, vector, context, ranks, session_max, before, before_subject,
         CASE WHEN any(span IN $days WHERE p.occurred_at >= span.from AND p.occurred_at < span.until) THEN 1.0 ELSE 0.0 END AS date,
         CASE WHEN $asks_when > 0.0 AND size(coalesce(p.date_texts, [])) > 0 THEN 1.0 ELSE 0.0 END AS time,
         CASE WHEN p.is_question THEN 1.0 ELSE 0.0 END AS is_question,
         CASE WHEN p.answers_question THEN 1.0 ELSE 0.0 END AS answers_question,
         log(1.0 + words) AS length, names,
         CASE WHEN size($entity_keys) > 0 AND p.heading_key IN $entity_keys THEN 1.0 ELSE 0.0 END AS heading,
         CASE WHEN y.named THEN 1.0 ELSE 0.0 END AS subject,
         coalesce(y.x.signal, 0.0) AS signal, p.arousal AS arousal
    WITH y, [vector, context, ranks, session_max, before, before_subject, date, time, is_question, answers_question,
             length, names, $asks_name * names, heading, subject, signal, arousal] AS f,
         CASE WHEN $learned
              THEN vector * $weights.vector + context * $weights.context + ranks * $weights.ranks
                   + session_max * $weights.session_max + before * $weights.before + before_subject * $weights.before_subject
                   + date * $weights.date + time * $weights.time + is_question * $weights.is_question
                   + answers_question * $weights.answers_question + length * $weights.length + names * $weights.names
                   + $asks_name * names * $weights.asked_names + heading * $weights.heading + subject * $weights.subject
                   + signal * $weights.signal + arousal * $weights.arousal
              ELSE y.fused * y.subject * (CASE WHEN date > 0.0 THEN $date_factor ELSE 1.0 END) * (1.0 + $arousal_gain * arousal)
         END AS base
    ORDER BY base DESC, coalesce(y.x.cosine, -2.0) DESC, y.p.id DESC
    WITH collect({m: y.x.m, id: y.p.id, cosine: y.x.cosine, ranks: y.ranks, fused: y.fused, subject: y.subject, f: f, base: base,
                  consolidated: y.p.consolidated_at IS NOT NULL}) AS ranked

    // Activation along links, from the best.
    CALL (scope, ranked) {
        UNWIND ranked[0..$seeds] AS seed
        WITH seed.m AS s, seed.base / ranked[0].base AS a0 WHERE ranked[0].base > 0.0 AND seed.base > 0.0
        WITH s, a0 WHERE COUNT { (s)-[:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-() } <= $hub_degree  // of all links, which the node knows by itself
        WITH s, a0, COUNT { (s)-[r:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-(:Memory {user_id: $user_id}) WHERE CASE WHEN r.discovered AND r.source = 'rule' THEN $floor_gains ELSE $gains END[type(r)] > 0.0 } AS degree WHERE degree > 0
        WITH s, a0 / (CASE WHEN degree < $spread_fan THEN degree ELSE $spread_fan END) ^ $fan_power AS shared
        CALL (s) {
            MATCH (s)-[r:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-(n:Memory)
            WHERE r.user_id = $user_id AND n.user_id = $user_id AND r.weight >= $min_weight - 1e-9
            WITH n, r, r.weight * CASE WHEN r.discovered AND r.source = 'rule' THEN $floor_gains ELSE $gains END[type(r)] AS gained WHERE gained > 0.0
            WITH n, r, $hop_factor * CASE WHEN gained < 1.0 THEN gained ELSE 1.0 END AS pull
            RETURN n, r, pull ORDER BY pull DESC, r.weight DESC, n.id, type(r) LIMIT $spread_fan
        }
        WITH s, n AS n1, r AS r1, shared * pull AS a1 WHERE a1 > $spread_floor + 1e-9 AND n1 <> s
        CALL (scope, s, n1, r1, a1) {
            RETURN n1 AS n, null AS r2, a1 AS a
          UNION ALL
            WITH s, n1, r1, a1
            WHERE $hops > 1 AND n1.bucket >= scope.bucket_from AND n1.bucket <= scope.bucket_until AND
              CASE WHEN NOT $narrowed
                   THEN n1.visible_until > $at AND n1.expired_at > $at AND n1.invalid_at > $at AND n1.superseded_at > $at
                   ELSE n1.visible_until > $within.visible_after AND n1.expired_at > $within.expired_after
                        AND n1.invalid_at > $within.invalid_after AND n1.superseded_at > $within.superseded_after
                        AND n1.created_at <= $within.created_until AND n1.search_tier_at > $within.touched_after
                        AND n1.lane IN $within.lanes AND n1.kind IN $within.kinds
                        AND n1.occurred_at >= $within.occurred_from AND n1.occurred_at < $within.occurred_until END
            WITH s, n1, r1, a1 WHERE COUNT { (n1)-[:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-() } <= $hub_degree
            WITH s, n1, r1, a1, COUNT { (n1)-[r:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-(:Memory {user_id: $user_id}) WHERE CASE WHEN r.discovered AND r.source = 'rule' THEN $floor_gains ELSE $gains END[type(r)] > 0.0 } AS degree WHERE degree > 1
            WITH s, n1, r1, a1 / (CASE WHEN degree - 1 < $spread_fan THEN degree - 1 ELSE $spread_fan END) ^ $fan_power AS shared
            WHERE shared * $hop_factor > $spread_floor + 1e-9
            CALL (n1, r1) {
                MATCH (n1)-[r:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-(n:Memory)
                WHERE r <> r1 AND r.user_id = $user_id AND n.user_id = $user_id AND r.weight >= $min_weight - 1e-9
                WITH n, r, r.weight * CASE WHEN r.discovered AND r.source = 'rule' THEN $floor_gains ELSE $gains END[type(r)] AS gained WHERE gained > 0.0
                WITH n, r, $hop_factor * CASE WHEN gained < 1.0 THEN gained ELSE 1.0 END AS pull
                RETURN n, r, pull ORDER BY pull DESC, r.weight DESC, n.id, type(r) LIMIT $spread_fan
            }
            WITH s, n1, n, r, shared * pull AS a WHERE a > $spread_floor + 1e-9 AND n <> s AND n <> n1
            RETURN n, r AS r2, a
        }
        WITH n, s, n1, r1, a1, r2, a ORDER BY a DESC, r2 IS NULL DESC, n1.id
        WITH n, collect({s: s, n1: n1, r1: r1, a1: a1, r2: r2, a: a})[0] AS best
        RETURN collect({m: n, best: best, a: best.a, share: 0.0}) AS reached
    }
    // Without learned weights, and beside the links: neighbours of the very best in their sessions.
    CALL (ranked) {
        UNWIND ranked[0..$sequence_seeds] AS seed
        WITH seed.m AS s, seed.base / (1.0 + $arousal_gain * seed.m.arousal) * $sequence_weight AS share WHERE share > 0.0
        MATCH (s)-[:NEXT]-(n:Memory) WHERE n.user_id = $user_id
        WITH n, max(share) AS share
        RETURN collect({m: n, best: null, a: 0.0, share: share}) AS beside
    }
    CALL (scope, ranked, reached, beside) {
        UNWIND reached + beside AS found
        WITH found.m AS n, max(found.a) AS a, max(found.share) AS share, collect(found.best)[0] AS best
        WHERE n.bucket >= scope.bucket_from AND n.bucket <= scope.bucket_until AND
          CASE WHEN NOT $narrowed
               THEN n.visible_until > $at AND n.expired_at > $at AND n.invalid_at > $at AND n.superseded_at > $at
               ELSE n.visible_until > $within.visible_after AND n.expired_at > $within.expired_after
                    AND n.invalid_at > $within.invalid_after AND n.superseded_at > $within.superseded_after
                    AND n.created_at <= $within.created_until AND n.search_tier_at > $within.touched_after
                    AND n.lane IN $within.lanes AND n.kind IN $within.kinds
                    AND n.occurred_at >= $within.occurred_from AND n.occurred_at < $within.occurred_until END
          AND (NOT $filtered OR any(x IN ranked WHERE x.m = n))  // what no index filters by was checked on the candidates alone
          AND (n.archive_at > coalesce($within.archived_after, $at) OR any(x IN ranked WHERE x.m = n))
        WITH n, a, share, best ORDER BY a DESC, n.id DESC
        WITH collect({m: n, a: a, share: share, best: best}) AS ns
        RETURN [i IN range(0, size(ns) - 1) | {m: ns[i].m, a: ns[i].a, share: ns[i].share, best: ns[i].best,
                rank: CASE WHEN ns[i].a > 0.0 THEN i + 1 ELSE 0 END}] AS brought
    }
    CALL (scope, ranked, brought) {
        CALL (ranked, brought) {
            UNWIND ranked AS x
            RETURN x.m AS m, x, null AS n
          UNION ALL
            UNWIND brought AS n
            RETURN n.m AS m, null AS x, n
        }
        WITH m, head(collect(x)) AS x, head(collect(n)) AS n
        WITH coalesce(x, {m: m, id: m.id, cosine: null, f: null, subject: 1.0, fused: 0.0, consolidated: m.consolidated_at IS NOT NULL,
                          ranks: {semantic: 0, context_vector: 0, lexical: 0, context: 0, signal: 0},
                          base: CASE WHEN $learned THEN ranked[-1].base ELSE 0.0 END}) AS x, n
        WITH x, n, coalesce(n.a, 0.0) AS a, ranked[0].base - x.base AS gap
        WITH x, n,
             CASE WHEN $learned THEN x.base + CASE WHEN a > 0.0 AND gap > 0.0 THEN gap * (1.0 - exp(-$weights.graph * a / gap)) ELSE 0.0 END
                  ELSE x.base + (1.0 + $arousal_gain * x.m.arousal) * (coalesce(n.share, 0.0)
                       + CASE WHEN n.rank > 0 THEN $channel_weights.graph / ($rrf_k + n.rank) ELSE 0.0 END)
             END AS score
        // What was distilled counts as its sources: it stands just above the best of them that was found with it.
        WITH collect({x: x, n: n, score: score}) AS scored
        CALL (scored) {
            UNWIND scored AS y
            WITH y.x.m AS m, y.score AS score WHERE $lift_drawn AND y.x.consolidated
            MATCH (m)<-[:DISTILLED_FROM]-(d) WHERE d.user_id = $user_id
            WITH d, max(score) AS best, collect(CASE WHEN m.text = d.text THEN m END) AS same
            RETURN collect({m: d, best: best, same: same}) AS drawn
        }
        UNWIND scored AS y
        WITH scored, drawn, y
        WHERE none(z IN drawn WHERE y.x.m IN z.same AND any(other IN scored WHERE other.x.m = z.m))  // said once
        WITH y, CASE WHEN size(drawn) > 0 AND y.x.m.kind = 'semantic' THEN [z IN drawn WHERE z.m = y.x.m | z.best][0] END AS best
        WITH y.x AS x, y.n AS n, y.score AS score, CASE WHEN best >= y.score THEN best - y.score + 1e-9 ELSE 0.0 END AS lift
        ORDER BY score + lift DESC, coalesce(x.cosine, -2.0) DESC, x.id DESC
        RETURN collect({x: x, n: n, score: score + lift, lift: lift})[0..scope.k] AS answer
    }
    RETURN answer, CASE WHEN scope.overlay THEN []
        ELSE [y IN ranked WHERE y.cosine > $rif_cosine AND y.ranks.semantic > 0 AND y.ranks.semantic <= $rif_scan
              AND none(hit IN answer WHERE hit.x.id = y.id) | y.id] END AS losers
}
WITH collect({overlay: scope.overlay, most: scope.most, answer: answer, losers: losers}) AS sections
WITH sections, sections[0].losers AS losers, [hit IN sections[0].answer | hit.x.id] AS main,
     ['id', 'user_id', 'text', 'kind', 'epistemic_type', 'category', 'horizon', 'bucket', 'lane', 'general', 'source',
      'confirmed', 'confidence', 'pinned', 'base_strength', 'spaced_access_count', 'access_count', 'encoding_factor',
      'activation_decay', 'state', 'emotions', 'arousal', 'valence', 'speaker', 'session_id', 'agent_id',
      'external_id', 'tags', 'metadata', 'people', 'entities', 'content_hash', 'dates_by', 'domain', 'topic_key',
      'reasoning', 'outcome', 'date_texts', 'dates_told_at', 'date_first_days', 'date_last_days', 'past_valid_at',
      'past_invalid_at', 'past_invalidated_at', 'past_expired_at', 'past_restored_at', 'occurrences', 'session_count'] AS plain,
     ['anchor_at', 'visible_until', 'dream_at', 'forgotten_at', 'archive_at', 'first_access_at', 'last_accessed_at',
      'touched_at', 'labile_until', 'labile_since', 'refined_at', 'last_suppressed_at', 'occurred_at', 'valid_at',
      'invalid_at', 'invalidated_at', 'created_at', 'expired_at', 'superseded_at', 'first_observed_at',
      'last_reinforced_at', 'enrich_due_at', 'parked_at'] AS dates
UNWIND sections AS section
UNWIND CASE WHEN section.overlay THEN [hit IN section.answer WHERE NOT hit.x.id IN main][0..section.most] ELSE section.answer END AS hit
WITH plain, dates, section.overlay AS overlay, losers, hit, hit.x AS x, hit.x.m AS m, hit.n AS n
WITH plain, dates, overlay, losers, hit, x, n, m,
     m {.id, .user_id, .text, .kind, .epistemic_type, .category, .horizon, .bucket, .lane, .general, .source,
        .confirmed, .confidence, .pinned, .base_strength, .spaced_access_count, .access_count, .encoding_factor,
        .activation_decay, .state, .emotions, .arousal, .valence, .speaker, .session_id, .agent_id, .external_id,
        .tags, .metadata, .people, .entities, .content_hash, .dates_by, .domain, .topic_key, .reasoning, .outcome,
        .date_texts, .dates_told_at, .date_first_days, .date_last_days, .past_valid_at, .past_invalid_at,
        .past_invalidated_at, .past_expired_at, .past_restored_at, .occurrences, .session_count, .anchor_at,
        .visible_until, .dream_at, .forgotten_at, .archive_at, .first_access_at, .last_accessed_at, .touched_at,
        .labile_until, .labile_since, .refined_at, .last_suppressed_at, .occurred_at, .valid_at, .invalid_at,
        .invalidated_at, .created_at, .expired_at, .superseded_at, .first_observed_at, .last_reinforced_at,
        .enrich_due_at, .parked_at, .access_stamps} AS p
RETURN collect({
    memory: [name IN plain | p[name]] + [name IN dates | toString(p[name])] + [[stamp IN p.access_stamps | toString(stamp)]],
    overlay: overlay, score: hit.score, cosine: x.cosine, features: x.f,
    ranks: [x.ranks.semantic, x.ranks.context_vector, x.ranks.lexical, x.ranks.context, x.ranks.signal, coalesce(n.rank, 0),
            x.subject, x.fused, hit.lift, hit.score - hit.lift - x.base],
    activation: coalesce(n.a, 0.0), sequence: coalesce(n.share, 0.0),
    path: CASE WHEN n.best IS NULL THEN []
          WHEN n.best.r2 IS NULL
          THEN [{node_id: p.id, type: type(n.best.r1), weight: n.best.r1.weight, reason: n.best.r1.reason, activation: n.best.a1,
                 by_floor: coalesce(n.best.r1.discovered AND n.best.r1.source = 'rule', false),
                 source: startNode(n.best.r1).id, target: endNode(n.best.r1).id, seed: n.best.s.id}]
          ELSE [{node_id: n.best.n1.id, type: type(n.best.r1), weight: n.best.r1.weight, reason: n.best.r1.reason, activation: n.best.a1,
                 by_floor: coalesce(n.best.r1.discovered AND n.best.r1.source = 'rule', false),
                 source: startNode(n.best.r1).id, target: endNode(n.best.r1).id, seed: n.best.s.id},
                {node_id: p.id, type: type(n.best.r2), weight: n.best.r2.weight, reason: n.best.r2.reason, activation: n.best.a,
                 by_floor: coalesce(n.best.r2.discovered AND n.best.r2.source = 'rule', false),
                 source: startNode(n.best.r2).id, target: endNode(n.best.r2).id, seed: n.best.s.id}] END
}) AS hits, losers, {
    memory: plain + dates + ['access_stamps'],
    features: ['vector', 'context', 'ranks', 'session_max', 'before', 'before_subject', 'date', 'time',
               'is_question', 'answers_question', 'length', 'names', 'asked_names', 'heading', 'subject', 'signal',
               'arousal'],
    ranks: ['semantic', 'context_vector', 'lexical', 'context', 'signal', 'graph', 'subject', 'fused', 'lift', 'linked']
} AS columns;  // in the order of the lists: to sort again here would hold every list once for each row
