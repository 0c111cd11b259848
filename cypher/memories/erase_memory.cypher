// Erases a memory with its versions, its audit rows, its turns, and the receipts and judgements that name it; a tombstone
// stays.
//
// Persons and entities that only this memory named are erased by names/erase_unnamed in the same transaction.
//
// Access   write
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose memory it is
//   id         STRING  "mem-1"  the memory
//   tombstone  MAP  {id: "tomb-1", text_hash: "hash-1", at: datetime("2031-01-01T00:00Z"), reason: null}  what stays
//   change     MAP  {id: "chg-1", action: "erase", at: datetime("2031-01-01T00:00Z")}  the audit row without text
// Returns      0..1 rows
//   named_ids  LIST<STRING>  persons and entities that the memory named
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
OPTIONAL MATCH (m)-[:REFERS_TO]-(named:Person|Entity {user_id: $user_id})
WITH m, collect(DISTINCT named.id) + coalesce(m.named_ids, []) AS named_ids
CALL (m) {
    OPTIONAL MATCH (m)-[:CHANGED]->(c:Change {user_id: $user_id, target_id: $id})
    OPTIONAL MATCH (m)-[:HAS_VERSION]->(v:Version {user_id: $user_id})
    OPTIONAL MATCH (m)-[:MENTIONED_IN]->(t:Turn {user_id: $user_id})
    DETACH DELETE c, v, t
}
CALL (m) {
    MATCH (m)-[:CHANGED]->(c:Change {user_id: $user_id}) WHERE c.target_id <> $id
    SET c.reason = null  // a link's row stands with its other end too; what was said of it goes
}
CALL (m) {
    MATCH (j:Judgement {user_id: $user_id})-[:DRAWN_FROM]->(m)
    DETACH DELETE j
}
CALL () {
    MATCH (r:Receipt {user_id: $user_id}) WHERE $id IN r.hit_ids
    DETACH DELETE r
}
MERGE (tombstone:Tombstone {user_id: $user_id, text_hash: $tombstone.text_hash})
SET tombstone += $tombstone
CREATE (c:Change {user_id: $user_id, target_id: $id})
SET c += $change
DETACH DELETE m
RETURN named_ids;
