// Writes one audit row that belongs to no single memory.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   change   MAP  {id: "chg-1", action: "erase_everything", at: datetime("2031-01-01T00:00Z")}  the row
// Returns      1 row
//   id  STRING
CREATE (c:Change {user_id: $user_id})
SET c += $change
RETURN c.id AS id;
