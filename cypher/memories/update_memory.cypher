// Changes where a memory belongs and when it holds, with one audit row for each field; never its text.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose memory it is
//   id          STRING  "mem-1"  the memory
//   properties  MAP  {bucket: "work"}  what changes, as stored
//   changes     LIST<MAP>  [{id: "chg-1", action: "update", field: "bucket", at: datetime("2031-01-01T00:00Z")}]  audit rows
//   relink      BOOLEAN  false  whether the links that enrichment made to persons and entities are to be made anew
//   unlink      BOOLEAN  false  whether what discovery linked it to no longer holds: it is to be found anew
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows
//   id  STRING
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
SET m += $properties
SET m.current_key = CASE WHEN m.current_key IS NULL THEN null ELSE m.content_hash END
CALL (m) {
    WITH m WHERE $relink
    MATCH (m)-[r:REFERS_TO]->(:Person|Entity {user_id: $user_id}) WHERE r.source = 'rule'
    DELETE r
}
CALL (m) {
    WITH m WHERE $relink
    SET m.enrich_due_at = $at, m.attempts = 0
}
CALL (m) {
    WITH m WHERE $unlink
    SET m.link_due_at = $at, m.link_attempts = 0, m.link_claim = null
    WITH m
    MATCH (m)-[r:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-() WHERE r.user_id = $user_id AND r.discovered
    DELETE r
}
CALL (m) {
    UNWIND $changes AS change
    CREATE (m)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $id})
    SET c += change
}
RETURN m.id AS id;
