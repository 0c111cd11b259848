// One audit row.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   id       STRING  "chg-1"  the row
// Returns      0..1 rows
//   change  MAP  every property
MATCH (c:Change {id: $id}) WHERE c.user_id = $user_id
RETURN c {.*} AS change;
