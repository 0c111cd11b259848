// The insights that an episode shows, each with the other episodes that show it; what a hand has edited or pinned stays out.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose they are
//   episode_id  STRING  "epi-1"  the episode
// Returns      0..n rows
//   memory     MAP  every property but the vectors
//   named_ids  LIST<STRING>  persons and entities that it named
//   rest       LIST<MAP>  id, at, summary, topics and tone of each other episode, the earliest first
MATCH (e:Episode {id: $episode_id}) WHERE e.user_id = $user_id
MATCH (m:Memory)-[l:MENTIONED_IN]->(e)
WHERE m.user_id = $user_id AND l.source = 'rule' AND m.source = 'consolidated' AND m.cluster_key IS NULL AND NOT m.pinned
CALL (m, e) {
    MATCH (m)-[:MENTIONED_IN]->(o:Episode {user_id: $user_id}) WHERE o <> e AND o.summary IS NOT NULL
    WITH o ORDER BY o.started_at, o.id
    RETURN collect(DISTINCT {id: o.id, at: o.started_at, summary: o.summary, topics: coalesce(o.topics, []),
                             tone: o.emotional_tone}) AS rest
}
OPTIONAL MATCH (m)-[:REFERS_TO]-(named:Person|Entity {user_id: $user_id})
WITH m, rest, collect(DISTINCT named.id) + coalesce(m.named_ids, []) AS named_ids
RETURN m {.*, embedding: null, context_embedding: null} AS memory, named_ids, rest ORDER BY m.id;
