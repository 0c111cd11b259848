// Gives a person relationships; an end that is gone is passed over.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose person it is
//   id       STRING  "per-1"  the person
//   rows     LIST<MAP>  [{type: "REFERS_TO", outgoing: false, other_id: "mem-1", properties: {user_id: "user-1", weight: 0.8}}]  types are of schema/names.py
// Returns      1 row
//   added  INTEGER
MATCH (p:Person {id: $id}) WHERE p.user_id = $user_id
CALL (p) {
    UNWIND [row IN $rows WHERE row.outgoing] AS row
    MATCH (other:Memory|Person|Entity|Episode|Turn|Note|Evidence|Communication {id: row.other_id})
    WHERE other.user_id = $user_id
    CREATE (p)-[r:$(row.type) {user_id: $user_id}]->(other)
    SET r += row.properties
    RETURN count(r) AS leaving
}
CALL (p) {
    UNWIND [row IN $rows WHERE NOT row.outgoing] AS row
    MATCH (other:Memory|Person|Entity|Episode|Turn|Note|Evidence|Communication {id: row.other_id})
    WHERE other.user_id = $user_id
    CREATE (other)-[r:$(row.type) {user_id: $user_id}]->(p)
    SET r += row.properties
    RETURN count(r) AS arriving
}
RETURN leaving + arriving AS added;
