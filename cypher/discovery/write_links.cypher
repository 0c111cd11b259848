// Writes links between memories that this transaction has locked: new ones, raised ones, and those that go.
//
// One that was made by hand and goes leaves an audit row.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   made     LIST<MAP>  [{type: "SIMILAR_TO", source_id: "mem-1", target_id: "mem-2", properties: {weight: 0.8, source: "rule", reason: "cosine 0.80", discovered: true, uses: 0}}]  new links
//   raised   LIST<MAP>  [{type: "SIMILAR_TO", source_id: "mem-1", target_id: "mem-2", properties: {weight: 0.9}}]  links that stand
//   removed  LIST<MAP>  [{type: "SIMILAR_TO", source_id: "mem-1", target_id: "mem-2", change: null}]  links that stand, with the audit row of one made by hand
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   made  INTEGER
CALL () {
    UNWIND $made AS row
    MATCH (a:Memory {id: row.source_id}) WHERE a.user_id = $user_id
    MATCH (b:Memory {id: row.target_id}) WHERE b.user_id = $user_id
    CREATE (a)-[r:$(row.type) {user_id: $user_id}]->(b)
    SET r += row.properties, r.created_at = $at
    RETURN count(r) AS made
}
CALL () {
    UNWIND $raised AS row
    MATCH (a:Memory {id: row.source_id}) WHERE a.user_id = $user_id
    MATCH (b:Memory {id: row.target_id}) WHERE b.user_id = $user_id
    MATCH (a)-[r]->(b) WHERE type(r) = row.type
    SET r += row.properties
}
CALL () {
    UNWIND $removed AS row
    MATCH (a:Memory {id: row.source_id}) WHERE a.user_id = $user_id
    MATCH (b:Memory {id: row.target_id}) WHERE b.user_id = $user_id
    MATCH (a)-[r]->(b) WHERE type(r) = row.type
    DELETE r
    WITH a, b, row WHERE row.change IS NOT NULL
    CREATE (a)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: row.source_id})
    CREATE (b)-[:CHANGED {user_id: $user_id}]->(c)
    SET c += row.change
}
RETURN made;
