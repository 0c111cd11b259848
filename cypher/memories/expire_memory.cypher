// Stops believing a memory: it is kept and listed, and out of recall. An expired one stays as it is.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memory it is
//   id       STRING  "mem-1"  the memory
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   change   MAP  {id: "chg-1", action: "forget", field: "expired_at", at: datetime("2031-01-01T00:00Z")}  the audit row
// Returns      0..1 rows
//   expired  BOOLEAN  false: it was expired before
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
SET m.lock = true  // taken before the check, so that two at once agree
REMOVE m.lock
WITH m, m.expired_at > $at AS expired
CALL (m, expired) {
    WITH m WHERE expired
    SET m.expired_at = $at
    REMOVE m.current_key
    CREATE (m)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $id})
    SET c += $change
}
RETURN expired;
