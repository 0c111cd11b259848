// Leads from what was drawn to what it was drawn from; what was there before keeps its sources, up to a number.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   rows     LIST<MAP>  [{memory_id: "mem-2", source_id: "mem-1", origin: "rule"}]  a statement or decision, and the episode that says it
//   most     INTEGER  20  sources of one statement
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      one row for each that leads to its source, now or before
//   memory_id  STRING
//   source_id  STRING
UNWIND $rows AS row
MATCH (d:Memory {id: row.memory_id}) WHERE d.user_id = $user_id
MATCH (s:Memory {id: row.source_id}) WHERE s.user_id = $user_id
SET s.lock = true  // an erasure of the source comes before this or sees the link
REMOVE s.lock
CALL (row, d, s) {
    WITH row, d, s WHERE d.source = 'extracted'
      AND COUNT { MATCH (d)-[:DISTILLED_FROM]->(other {user_id: $user_id}) WHERE other.id <> s.id } < $most
    MERGE (d)-[r:DISTILLED_FROM {user_id: $user_id}]->(s)
      ON CREATE SET r.weight = 1.0, r.source = row.origin, r.reason = 'said there', r.uses = 0, r.created_at = $at
}
RETURN d.id AS memory_id, s.id AS source_id;
