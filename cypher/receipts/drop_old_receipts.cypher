// Drops a bounded number of receipts that are past their date.
//
// Access   write
// Scope    system
// Params
//   at     ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit  INTEGER  1000  most receipts dropped
// Returns      1 row
//   dropped  INTEGER
MATCH (r:Receipt) WHERE r.expires_at <= $at
WITH r LIMIT $limit
DETACH DELETE r
RETURN count(*) AS dropped;
