// How a schema stands; the user is locked by then.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   id       STRING  "mem-1"  the schema
// Returns      0..1 rows
//   inductions  INTEGER
//   induced_at  ZONED DATETIME
MATCH (s:Memory {id: $id}) WHERE s.user_id = $user_id
RETURN coalesce(s.inductions, 1) AS inductions, coalesce(s.induced_at, s.created_at) AS induced_at;
