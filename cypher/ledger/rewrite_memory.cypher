// Gives a memory a new text; the old one stays as a Version with the time in which it was ours.
//
// The caller has locked it. It waits for enrichment and for its links anew; those that were found for the old text go.
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
SET m += $properties, m.enrich_due_at = $at, m.attempts = 0, m.parked_at = null,
    m.link_due_at = $at, m.link_attempts = 0, m.link_claim = null, m.link_problem = null, m.link_parked_at = null
SET m.current_key = CASE WHEN m.current_key IS NULL THEN null ELSE m.content_hash END
WITH m
CALL (m) {
    MATCH (m)-[r:REFERS_TO]->(:Person|Entity {user_id: $user_id}) WHERE r.source = 'rule'
    DELETE r
}
CALL (m) {
    MATCH (m)-[r:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-() WHERE r.user_id = $user_id AND r.discovered
    DELETE r
}
CALL (m) {
    UNWIND $changes AS change
    CREATE (m)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $id})
    SET c += change
}
RETURN m.id AS id;
