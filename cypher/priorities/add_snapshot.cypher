// Stores a priority snapshot, unless the user has one of nearly the same time.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose it is
//   after       ZONED DATETIME  datetime("2030-12-31T00:00Z")  a snapshot since then stands in its place
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  its instant, UTC
//   properties  MAP  {id: "snap-1", topics: ["boat"], weights: [1.0]}  what it holds
// Returns      0..1 rows
//   id  STRING
MATCH (u:User {user_id: $user_id})
SET u.lock = true  // before the check below, which then sees what another worker stored in between
REMOVE u.lock
WITH u WHERE NOT EXISTS {
  MATCH (other:PrioritySnapshot {user_id: $user_id}) WHERE other.at > $after AND other.at <= $at
}
CREATE (s:PrioritySnapshot {user_id: $user_id, at: $at})
SET s += $properties
RETURN s.id AS id;
