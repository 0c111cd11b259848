// Leads from a statement to the episodes that it was distilled from, which are then consolidated and due to fade.
//
// A statement that would have too many sources takes none of these; then nothing is written.
//
// Access   write
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose they are
//   semantic_id  STRING  "mem-1"  the statement
//   key          STRING  "cluster-1"  of the cluster; null where the statement was known before
//   rows         LIST<MAP>  [{id: "mem-2", cosine: 0.9}]  the episodes, each with its cosine to the centroid
//   reason       STRING  "distilled"  why
//   origin       STRING  "rule"  rule or model
//   most         INTEGER  20  sources of one statement
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows
//   linked  BOOLEAN  false: it has too many sources
MATCH (s:Memory {id: $semantic_id}) WHERE s.user_id = $user_id
SET s.lock = true
REMOVE s.lock
WITH s, COUNT { MATCH (s)-[:DISTILLED_FROM]->(m {user_id: $user_id}) WHERE NOT m.id IN [row IN $rows | row.id] }
        + size($rows) <= $most AS linked
CALL (s, linked) {
    WITH s WHERE linked
    SET s.fade_due_at = $at, s.cluster_key = coalesce($key, s.cluster_key)
    WITH s
    UNWIND $rows AS row
    MATCH (m:Memory {id: row.id}) WHERE m.user_id = $user_id
    MERGE (s)-[r:DISTILLED_FROM {user_id: $user_id}]->(m)
      ON CREATE SET r.weight = CASE WHEN row.cosine > 0.0 THEN row.cosine ELSE 0.0 END, r.cosine = row.cosine,
                    r.source = $origin, r.reason = $reason, r.uses = 0, r.created_at = $at
    SET m.consolidated_at = $at
    REMOVE m.distil_key, m.distil_after
}
RETURN linked;
