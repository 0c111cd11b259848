// Takes memories out of their NEXT chains and closes the gap.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   ids      LIST<STRING>  ["mem-1"]  the memories that leave
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      one row for each memory found
//   previous_id  STRING  null for the first of a session
//   next_id      STRING  null for the last
UNWIND $ids AS id
MATCH (m:Memory {user_id: $user_id, id: id})
OPTIONAL MATCH (p:Memory {user_id: $user_id})-[into:NEXT]->(m)
OPTIONAL MATCH (m)-[outOf:NEXT]->(n:Memory {user_id: $user_id})
DELETE into, outOf
WITH m, p, n
CALL (p, n) {
    WITH p, n WHERE p IS NOT NULL AND n IS NOT NULL
    MERGE (p)-[r:NEXT {user_id: p.user_id}]->(n)
      ON CREATE SET r.weight = 1.0, r.source = 'rule', r.uses = 0, r.created_at = $at
}
RETURN p.id AS previous_id, n.id AS next_id;
