// Drops a bounded number of a user's priority snapshots from before an instant.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   before   ZONED DATETIME  datetime("2030-10-01T00:00Z")  what is earlier goes
//   limit    INTEGER  1000  most snapshots dropped
// Returns      1 row
//   dropped  INTEGER
MATCH (s:PrioritySnapshot {user_id: $user_id}) WHERE s.at < $before
WITH s LIMIT $limit
DETACH DELETE s
RETURN count(*) AS dropped;
