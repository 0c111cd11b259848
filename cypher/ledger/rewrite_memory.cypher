// Gives a memory a new text; the old one stays as a Version with the time in which it was ours.
//
// The caller has locked it. It waits for enrichment anew, and its links that rules made are made anew.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose memory it is
//   id          STRING  "mem-1"  the memory
//   properties  MAP  {text: "The desk is ash."}  what changes, as stored
//   version     MAP  {id: "ver-1", text: "The desk is oak.", until: datetime("2031-01-01T00:00Z"), reason: null}  the old text
//   changes     LIST<MAP>  [{id: "chg-1", action: "edit", at: datetime("2031-01-01T00:00Z")}]  audit rows
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows
//   id  STRING
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
OPTIONAL MATCH (m)-[:HAS_VERSION]->(earlier:Version {user_id: $user_id})
WITH m, coalesce(max(earlier.until), m.created_at) AS since
CREATE (m)-[:HAS_VERSION {user_id: $user_id}]->(v:Version {user_id: $user_id})
SET v += $version, v.since = since
SET m += $properties, m.enrich_due_at = $at, m.attempts = 0, m.parked_at = null
SET m.current_key = CASE WHEN m.current_key IS NULL THEN null ELSE m.content_hash END
WITH m
CALL (m) {
    MATCH (m)-[r:REFERS_TO]->(:Person|Entity {user_id: $user_id}) WHERE r.source = 'rule'
    DELETE r
}
CALL (m) {
    UNWIND $changes AS change
    CREATE (m)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $id})
    SET c += change
}
RETURN m.id AS id;
