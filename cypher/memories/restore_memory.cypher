// Makes a memory current again: a new interval begins, the closed one stays on record.
//
// The caller has made sure that no equal memory is current; the constraint on current_key holds it against a race.
//
// Access   write
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose memory it is
//   id        STRING  "mem-1"  the memory
//   at        ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   open_end  ZONED DATETIME  datetime("9999-12-31T00:00Z")  the far future
//   dates     MAP  {valid_at: datetime("2031-01-01T00:00Z"), state: "core"}  what the new interval begins with
//   change    MAP  {id: "chg-1", action: "restore", at: datetime("2031-01-01T00:00Z")}  the audit row
// Returns      0..1 rows
//   id  STRING
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
SET m.past_valid_at = coalesce(m.past_valid_at, []) + m.valid_at,
    m.past_invalid_at = coalesce(m.past_invalid_at, []) + m.invalid_at,
    m.past_invalidated_at = coalesce(m.past_invalidated_at, []) + m.invalidated_at,
    m.past_expired_at = coalesce(m.past_expired_at, []) + m.expired_at,
    m.past_restored_at = coalesce(m.past_restored_at, []) + $at
SET m.expired_at = $open_end, m.invalid_at = $open_end, m.invalidated_at = $open_end, m.superseded_at = $open_end,
    m.current_key = m.content_hash,
    m.compared = null  // there is more beside it now than when it was compared
SET m += $dates
WITH m
CALL (m) {
    OPTIONAL MATCH (m)-[s:SUPERSEDED_BY {user_id: $user_id}]->() WHERE coalesce(s.expired_at > $at, true)
    SET s.expired_at = $at
}
CREATE (m)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $id})
SET c += $change
RETURN m.id AS id;
