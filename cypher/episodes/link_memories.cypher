// Notes which memory was made of each turn, and links the two and the episode; a turn that is gone meanwhile is left out.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   rows     LIST<MAP>  [{turn_id: "turn-1", memory_id: "mem-1"}]  memory_id is null where a tombstone forbade it
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   turns  INTEGER
UNWIND $rows AS row
MATCH (t:Turn {id: row.turn_id}) WHERE t.user_id = $user_id
SET t.memory_due_at = null
WITH row, t
CALL (row, t) {
    MATCH (m:Memory {id: row.memory_id}) WHERE m.user_id = $user_id
    MERGE (m)-[r:MENTIONED_IN {user_id: $user_id}]->(t)
      ON CREATE SET r.weight = 1.0, r.source = 'rule', r.uses = 0, r.created_at = $at
    WITH m, t
    MATCH (e:Episode {id: t.episode_id}) WHERE e.user_id = $user_id
    MERGE (m)-[:IN_EPISODE {user_id: $user_id}]->(e)
}
RETURN count(t) AS turns;
