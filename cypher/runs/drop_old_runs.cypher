// Drops a bounded number of a user's runs of some beats that started before an instant.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   beats    LIST<STRING>  ["link", "cycle"]  of these
//   before   ZONED DATETIME  datetime("2030-10-01T00:00Z")  what started earlier goes
//   limit    INTEGER  1000  most runs dropped
// Returns      1 row
//   dropped  INTEGER
MATCH (r:Run {user_id: $user_id}) WHERE r.started_at < $before AND r.beat IN $beats
WITH r LIMIT $limit
DETACH DELETE r
RETURN count(*) AS dropped;
