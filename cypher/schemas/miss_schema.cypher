// Notes since when a schema is not found any more; one that was missed before keeps that instant.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   id       STRING  "mem-1"  the schema
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows
//   id  STRING
MATCH (s:Memory {id: $id}) WHERE s.user_id = $user_id
SET s.missed_at = coalesce(s.missed_at, $at)
RETURN s.id AS id;
