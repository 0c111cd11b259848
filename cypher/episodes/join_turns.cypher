// Makes the NEXT chain of an episode's turns follow their order.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose episode it is; this transaction has locked the user
//   episode_id  STRING  "epi-1"  the episode
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   turns  INTEGER
OPTIONAL MATCH (e:Episode {id: $episode_id})-[:HAS_TURN]->(t:Turn {user_id: $user_id}) WHERE e.user_id = $user_id
WITH t ORDER BY t.occurred_at, t.id
WITH collect(t) AS turns
CALL (turns) {
    UNWIND range(0, size(turns) - 1) AS place
    WITH turns[place] AS turn, turns[place + 1] AS following
    OPTIONAL MATCH (turn)-[stale:NEXT]->(other:Turn {user_id: $user_id}) WHERE following IS NULL OR other <> following
    DELETE stale
}
CALL (turns) {
    UNWIND range(1, size(turns) - 1) AS place
    WITH turns[place - 1] AS turn, turns[place] AS following
    MERGE (turn)-[r:NEXT {user_id: $user_id}]->(following)
      ON CREATE SET r.weight = 1.0, r.source = 'rule', r.uses = 0, r.created_at = $at
}
RETURN size(turns) AS turns;
