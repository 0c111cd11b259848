// The turns of an episode from one of them to another, and some before, in their order, with the memories made of them.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose episode it is
//   episode_id  STRING  "epi-1"  the episode
//   first_id    STRING  "turn-1"  the first turn wanted
//   last_id     STRING  "turn-1"  the last turn wanted
//   before      INTEGER  4  most rows from before the first
//   limit       INTEGER  100  most rows from the first on
// Returns      0..limit + before rows
//   id           STRING
//   role         STRING
//   text         STRING
//   speaker      STRING  or null
//   occurred_at  ZONED DATETIME
//   memory_id    STRING  null when there is none
MATCH (first:Turn {id: $first_id}) WHERE first.user_id = $user_id
MATCH (last:Turn {id: $last_id}) WHERE last.user_id = $user_id
MATCH (e:Episode {id: $episode_id}) WHERE e.user_id = $user_id
CALL (e, first, last) {
    MATCH (e)-[:HAS_TURN]->(t:Turn {user_id: $user_id})
    WHERE (t.occurred_at > first.occurred_at OR (t.occurred_at = first.occurred_at AND t.id >= first.id))
      AND (t.occurred_at < last.occurred_at OR (t.occurred_at = last.occurred_at AND t.id <= last.id))
    RETURN t ORDER BY t.occurred_at, t.id LIMIT $limit
  UNION ALL
    MATCH (e)-[:HAS_TURN]->(t:Turn {user_id: $user_id})
    WHERE t.occurred_at < first.occurred_at OR (t.occurred_at = first.occurred_at AND t.id < first.id)
    RETURN t ORDER BY t.occurred_at DESC, t.id DESC LIMIT $before
}
CALL (t) {
    OPTIONAL MATCH (m:Episodic)-[:MENTIONED_IN]->(t) WHERE m.user_id = $user_id
    RETURN m ORDER BY m.id LIMIT 1
}
RETURN t.id AS id, t.role AS role, t.text AS text, t.speaker AS speaker, t.occurred_at AS occurred_at, m.id AS memory_id
ORDER BY occurred_at, id;
