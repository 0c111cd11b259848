// Leads from insights to the episodes that show them, and notes that those were reflected on.
//
// Access   write
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose episodes they are
//   key          STRING  "key-1"  of the episodes
//   ids          LIST<STRING>  ["mem-1"]  the insights
//   episode_ids  LIST<STRING>  ["epi-1"]  the episodes
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows
//   reflected_on  STRING
MATCH (u:User {user_id: $user_id})
SET u.reflected_on = $key
WITH u
CALL () {
    UNWIND $ids AS id
    MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
    UNWIND $episode_ids AS episode_id
    MATCH (e:Episode {id: episode_id}) WHERE e.user_id = $user_id
    MERGE (m)-[l:MENTIONED_IN {user_id: $user_id}]->(e)
      ON CREATE SET l.created_at = $at, l.source = 'rule', l.weight = 1.0, l.uses = 0
}
RETURN u.reflected_on AS reflected_on;
