// Drops a bounded number of a user's receipts that are past their date.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit    INTEGER  1000  most receipts dropped
// Returns      1 row
//   dropped  INTEGER
MATCH (r:Receipt {user_id: $user_id}) WHERE r.expires_at <= $at
WITH r LIMIT $limit
DETACH DELETE r
RETURN count(*) AS dropped;
