// Puts memories into their places in the NEXT chain of their sessions and mends the chain around them.
//
// The order of a session is that of `position` (occurred_at, then id). Running it again, or after a race of two
// writers, leaves one unbroken chain.
//
// Access   write
// Scope    user
// Params
//   rows  LIST<MAP>  [{user_id: "user-1", id: "mem-1"}]  memories; those without a session are left alone
//   at    ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row, since each row costs the driver several reads
//   joined  LIST<MAP>  of each memory that has a session: user_id; id; previous_id, null for the first of the session; next_id, null for the last
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.user_id = row.user_id AND m.position IS NOT NULL AND m.expired_at > $at
OPTIONAL CALL (m) {
    MATCH (p:Memory {user_id: m.user_id, session_id: m.session_id})
      USING INDEX SEEK p:Memory(user_id, session_id, position)  // a plan made while the graph is empty would scan
    WHERE p.position < m.position AND p.expired_at > $at
    RETURN p ORDER BY p.position DESC LIMIT 1
}
OPTIONAL CALL (m) {
    MATCH (n:Memory {user_id: m.user_id, session_id: m.session_id})
      USING INDEX SEEK n:Memory(user_id, session_id, position)  // a plan made while the graph is empty would scan
    WHERE n.position > m.position AND n.expired_at > $at
    RETURN n ORDER BY n.position LIMIT 1
}
CALL (m, p, n) {
    OPTIONAL MATCH (p)-[fromPrevious:NEXT]->(x:Memory) WHERE x <> m
    OPTIONAL MATCH (y:Memory)-[toNext:NEXT]->(n) WHERE y <> m
    OPTIONAL MATCH (z:Memory)-[into:NEXT]->(m) WHERE p IS NULL OR z <> p
    OPTIONAL MATCH (m)-[outOf:NEXT]->(w:Memory) WHERE n IS NULL OR w <> n
    DELETE fromPrevious, toNext, into, outOf
}
CALL (m, p) {
    WITH m, p WHERE p IS NOT NULL
    MERGE (p)-[r:NEXT {user_id: m.user_id}]->(m)
      ON CREATE SET r.weight = 1.0, r.source = 'rule', r.uses = 0, r.created_at = $at
}
CALL (m, n) {
    WITH m, n WHERE n IS NOT NULL
    MERGE (m)-[r:NEXT {user_id: m.user_id}]->(n)
      ON CREATE SET r.weight = 1.0, r.source = 'rule', r.uses = 0, r.created_at = $at
}
RETURN collect({user_id: m.user_id, id: m.id, previous_id: p.id, next_id: n.id}) AS joined;
