// Removes an episode with its turns and closes the gap in the chain of episodes; memories made of the turns stay.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose episode it is; this transaction has locked the user
//   id       STRING  "epi-1"  the episode
//   change   MAP  {id: "chg-1", action: "delete_episode", at: datetime("2031-01-01T00:00Z")}  the audit row, without text
// Returns      0..1 rows
//   id  STRING
MATCH (e:Episode {id: $id}) WHERE e.user_id = $user_id
OPTIONAL MATCH (p:Episode {user_id: $user_id})-[:NEXT]->(e)
OPTIONAL MATCH (e)-[:NEXT]->(n:Episode {user_id: $user_id})
CALL (p, n) {
    WITH p, n WHERE p IS NOT NULL AND n IS NOT NULL
    CREATE (p)-[:NEXT {user_id: $user_id, weight: 1.0, source: 'rule', uses: 0, created_at: $change.at}]->(n)
}
CALL (e) {
    OPTIONAL MATCH (e)-[:HAS_TURN]->(t:Turn {user_id: $user_id})
    DETACH DELETE t
}
CREATE (c:Change {user_id: $user_id, target_id: $id})
SET c += $change
DETACH DELETE e
RETURN $id AS id;
