// Retires a schema that was not found again: it ends, stays listed with what it abstracts, and leaves default recall.
//
// Access   write
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose it is
//   id         STRING  "mem-1"  the schema
//   missed_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  since when it is not found, as it was read
//   at         ZONED DATETIME  datetime("2031-01-31T00:00Z")  now, UTC
//   change     MAP  {id: "chg-1", action: "expire", at: datetime("2031-01-01T00:00Z")}  the audit row
// Returns      0..1 rows; none when it was found again meanwhile
//   id  STRING
MATCH (s:Memory {id: $id}) WHERE s.user_id = $user_id
SET s.lock = true
REMOVE s.lock
WITH s WHERE s.invalid_at > $at AND s.missed_at = $missed_at
SET s.schema_status = 'retired', s.invalid_at = $at, s.invalidated_at = $at
REMOVE s.current_key
CREATE (s)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $id})
SET c += $change
RETURN s.id AS id;
