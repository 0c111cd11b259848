// Notes that sources have faded for a statement, once for ever.
//
// Access   write
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose they are
//   semantic_id  STRING  "mem-1"  the statement
//   ids          LIST<STRING>  ["mem-2"]  the sources
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows
//   id  STRING
MATCH (s:Memory {id: $semantic_id}) WHERE s.user_id = $user_id
SET s.fade_due_at = null
WITH s
CALL (s) {
    MATCH (s)-[r:DISTILLED_FROM]->(m {user_id: $user_id}) WHERE m.id IN $ids
    SET r.faded_at = $at
}
RETURN s.id AS id;
