// Adds turns to an episode.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose episode it is; this transaction has locked the user
//   episode_id  STRING  "epi-1"  the episode
//   rows        LIST<MAP>  [{id: "turn-1", role: "user", text: "Hello", occurred_at: datetime("2031-01-01T00:00Z")}]  as stored
// Returns      1 row
//   turns  INTEGER
OPTIONAL MATCH (e:Episode {id: $episode_id}) WHERE e.user_id = $user_id
CALL (e) {
    UNWIND $rows AS row
    WITH e, row WHERE e IS NOT NULL
    CREATE (e)-[:HAS_TURN {user_id: $user_id}]->(t:Turn {user_id: $user_id, episode_id: $episode_id})
    SET t += row
    RETURN count(t) AS turns
}
RETURN turns;
