// Writes what changed of a person whom this transaction has locked: properties, new and dropped evidence, audit rows.
//
// Access   write
// Scope    user
// Params
//   user_id         STRING  "user-1"  whose person it is
//   id              STRING  "per-1"  the person
//   properties      MAP  {interactions: 3}  as stored
//   evidence        LIST<MAP>  [{memory_id: "mem-1", properties: {id: "evi-1", at: datetime("2031-01-01T00:00Z")}}]  new pieces
//   communications  LIST<MAP>  [{memory_id: null, properties: {id: "com-1", at: datetime("2031-01-01T00:00Z")}}]  new exchanges
//   dropped         LIST<STRING>  ["evi-0"]  evidence and exchanges that are kept no longer
//   changes         LIST<MAP>  [{id: "chg-1", action: "mention", at: datetime("2031-01-01T00:00Z")}]  audit rows
// Returns      0..1 rows
//   id  STRING
MATCH (p:Person {id: $id}) WHERE p.user_id = $user_id
SET p += $properties
CALL (p) {
    UNWIND $evidence AS row
    CREATE (p)-[:HAS_EVIDENCE {user_id: $user_id}]->(e:Evidence {user_id: $user_id})
    SET e += row.properties
    WITH e, row
    MATCH (m:Memory {id: row.memory_id}) WHERE m.user_id = $user_id
    CREATE (e)-[:DRAWN_FROM {user_id: $user_id}]->(m)
}
CALL (p) {
    UNWIND $communications AS row
    CREATE (p)-[:HAS_COMMUNICATION {user_id: $user_id}]->(c:Communication {user_id: $user_id})
    SET c += row.properties
    WITH c, row
    MATCH (m:Memory {id: row.memory_id}) WHERE m.user_id = $user_id
    CREATE (c)-[:DRAWN_FROM {user_id: $user_id}]->(m)
}
CALL (p) {
    UNWIND $dropped AS id
    MATCH (gone:Evidence|Communication {id: id}) WHERE gone.user_id = $user_id
    DETACH DELETE gone
}
CALL (p) {
    UNWIND $changes AS change
    CREATE (c:Change {user_id: $user_id, target_id: $id})
    SET c += change
}
RETURN p.id AS id;
