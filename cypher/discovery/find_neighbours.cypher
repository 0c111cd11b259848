// What is near memories: those that name the same rare names, those that links lead to, those nearest by meaning.
//
// In the same bucket or the general one, and current. A node with too many links is reached but not walked through; what
// rules found is not walked, so that it matters not who is taken first.
// Links are read with their far end unlabelled, so that the walk starts from the memory whatever else a plan may think.
//
// Access   read
// Scope    user
// Params
//   user_id            STRING  "user-1"  whose memories they are
//   ids                LIST<STRING>  ["mem-1"]  memories, each once
//   at                 ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   shared_names_most  INTEGER  3  a name that more memories know leads nowhere
//   hops               INTEGER  2  1 or 2: links to the farthest neighbour
//   hop_factor         FLOAT  0.8  what a second link leaves of nearness
//   hub_degree         INTEGER  500  a node with more links is not walked through
//   most               INTEGER  16  neighbours of each memory by names, by one link, by two
//   pool               INTEGER  50  fetched from the vector index, more than are kept
//   nearest            INTEGER  8  kept of them
// Returns      any number of rows
//   of           STRING  the memory
//   id           STRING  the neighbour
//   text         STRING
//   occurred_at  STRING  dates as text, which the driver reads far faster
//   dated        BOOLEAN  whether somebody said when it happened
//   valid_at     STRING
//   invalid_at   STRING
//   session_id   STRING  or null
//   emotions     LIST<FLOAT>
//   arousal      FLOAT
//   valence      FLOAT
//   nearness     FLOAT  by links, 0: none leads there
//   shared       LIST<MAP>  name and known_by of each name that both name
//   cosine       FLOAT  or null
UNWIND $ids AS of
MATCH (m:Memory {id: of}) WHERE m.user_id = $user_id
CALL (m) {
    MATCH (m)-[r:REFERS_TO]->(e) WHERE r.user_id = $user_id AND e.user_id = $user_id
    WITH m, e WHERE e:Person|Entity AND COUNT { (e)<-[:REFERS_TO]-() } <= $shared_names_most
    WITH m, e, COUNT { (e)<-[:REFERS_TO]-() } AS known_by
    MATCH (e)<-[q:REFERS_TO]-(n) WHERE q.user_id = $user_id AND n <> m
    WITH m, n, collect({name: e.name, known_by: known_by}) AS shared, sum(1.0 / known_by) AS told
    WHERE n:Memory AND n.user_id = $user_id AND n.bucket IN [m.bucket, 'general']
      AND n.expired_at > $at AND n.invalid_at > $at AND n.superseded_at > $at
    RETURN n, shared, 0.0 AS nearness, null AS cosine ORDER BY told DESC, n.id LIMIT $most
  UNION ALL
    WITH m WHERE COUNT { (m)-[:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-() } <= $hub_degree
    MATCH (m)-[r:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-(n) WHERE r.user_id = $user_id AND n <> m AND coalesce(NOT (r.discovered AND r.source = 'rule'), true)
    WITH m, n, max(coalesce(r.weight, 1.0)) AS nearness
    WHERE n:Memory AND n.user_id = $user_id AND n.bucket IN [m.bucket, 'general']
      AND n.expired_at > $at AND n.invalid_at > $at AND n.superseded_at > $at
    RETURN n, [] AS shared, nearness, null AS cosine ORDER BY nearness DESC, n.id LIMIT $most
  UNION ALL
    WITH m WHERE $hops > 1 AND COUNT { (m)-[:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-() } <= $hub_degree
    MATCH (m)-[r:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-(x) WHERE r.user_id = $user_id AND coalesce(NOT (r.discovered AND r.source = 'rule'), true)
    WITH m, x, max(coalesce(r.weight, 1.0)) AS first
    WHERE x:Memory AND x.user_id = $user_id AND x.expired_at > $at AND x.bucket IN [m.bucket, 'general']
      AND COUNT { (x)-[:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-() } <= $hub_degree
    WITH m, x, first ORDER BY first DESC, x.id LIMIT $most
    MATCH (x)-[q:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-(n) WHERE q.user_id = $user_id AND n <> m AND coalesce(NOT (q.discovered AND q.source = 'rule'), true)
    WITH m, n, max(first * coalesce(q.weight, 1.0) * $hop_factor) AS nearness
    WHERE n:Memory AND n.user_id = $user_id AND n.bucket IN [m.bucket, 'general']
      AND n.expired_at > $at AND n.invalid_at > $at AND n.superseded_at > $at
    RETURN n, [] AS shared, nearness, null AS cosine ORDER BY nearness DESC, n.id LIMIT $most
  UNION ALL
    WITH m, [m.bucket, 'general'] AS buckets WHERE m.embedding IS NOT NULL
    MATCH (n:Memory)
      SEARCH n IN (
        VECTOR INDEX memory_embedding_vector FOR m.embedding
        WHERE n.user_id = $user_id AND n.bucket IN buckets
          AND n.expired_at > $at AND n.invalid_at > $at AND n.superseded_at > $at
        LIMIT $pool
      ) SCORE AS score
    WITH m, n, score WHERE n <> m
    RETURN n, [] AS shared, 0.0 AS nearness, 2.0 * score - 1.0 AS cosine ORDER BY cosine DESC, n.id LIMIT $nearest
}
WITH of, n, reduce(every = [], each IN collect(shared) | every + each) AS shared, max(nearness) AS nearness, max(cosine) AS cosine
RETURN of, n.id AS id, n.text AS text, toString(n.occurred_at) AS occurred_at,
       coalesce(n.dates_told_at, 'created_at') = 'occurred_at' AS dated, toString(n.valid_at) AS valid_at,
       toString(n.invalid_at) AS invalid_at, n.session_id AS session_id, n.emotions AS emotions, n.arousal AS arousal,
       n.valence AS valence, nearness, shared, cosine
ORDER BY of, id;
