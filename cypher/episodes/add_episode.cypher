// Begins an episode and puts it into its place in the NEXT chain of the user's episodes, by their start.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose episode it is; this transaction has locked the user
//   id          STRING  "epi-1"  its id
//   properties  MAP  {started_at: datetime("2031-01-01T00:00Z"), turn_count: 0}  as stored
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   id  STRING
CREATE (e:Episode {user_id: $user_id, id: $id})
SET e += $properties
WITH e
OPTIONAL CALL (e) {
    MATCH (p:Episode {user_id: $user_id})
      USING INDEX SEEK p:Episode(user_id, started_at)  // a plan made while the graph is empty would scan
    WHERE p.started_at <= e.started_at AND (p.started_at < e.started_at OR p.id < e.id)
    RETURN p ORDER BY p.started_at DESC, p.id DESC LIMIT 1
}
OPTIONAL CALL (e) {
    MATCH (n:Episode {user_id: $user_id})
      USING INDEX SEEK n:Episode(user_id, started_at)  // a plan made while the graph is empty would scan
    WHERE n.started_at >= e.started_at AND (n.started_at > e.started_at OR n.id > e.id)
    RETURN n ORDER BY n.started_at, n.id LIMIT 1
}
CALL (p, n) {
    OPTIONAL MATCH (p)-[between:NEXT]->(n)
    DELETE between
}
CALL (e, p) {
    WITH e, p WHERE p IS NOT NULL
    CREATE (p)-[:NEXT {user_id: $user_id, weight: 1.0, source: 'rule', uses: 0, created_at: $at}]->(e)
}
CALL (e, n) {
    WITH e, n WHERE n IS NOT NULL
    CREATE (e)-[:NEXT {user_id: $user_id, weight: 1.0, source: 'rule', uses: 0, created_at: $at}]->(n)
}
RETURN e.id AS id;
