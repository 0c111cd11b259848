// Stops believing facts that gathered little evidence and none of late; they are kept and listed.
//
// What was made again meanwhile, or established, stays as it is.
//
// Access   write
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose memories they are
//   rows         LIST<MAP>  [{id: "mem-1", change: {id: "chg-1", action: "expire", at: datetime("2031-01-01T00:00Z")}}]  in the order of the ids
//   before       ZONED DATETIME  datetime("2030-12-01T00:00Z")  last made at this instant or before, UTC
//   occurrences  INTEGER  5  made less often
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      one row for each that was expired
//   id          STRING
//   in_session  BOOLEAN
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.user_id = $user_id
SET m.lock = true  // before the check below, which then sees what was told in between
REMOVE m.lock
WITH row, m
WHERE m.kind = 'semantic' AND m.horizon = 'medium' AND m.occurrences < $occurrences AND m.last_reinforced_at <= $before
  AND NOT m.pinned AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
SET m.expired_at = $at
REMOVE m.current_key
CREATE (m)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: row.id})
SET c += row.change
RETURN m.id AS id, m.session_id IS NOT NULL AS in_session;
