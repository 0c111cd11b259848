// What memories gave way to, and what gave way to them, as it stands now.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   ids      LIST<STRING>  ["mem-1"]  the memories
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  links that were closed by then do not count
// Returns      0..n rows
//   old_id  STRING
//   new_id  STRING
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
MATCH (m)-[s:SUPERSEDED_BY]-(:Memory {user_id: $user_id}) WHERE s.expired_at > $at
RETURN DISTINCT startNode(s).id AS old_id, endNode(s).id AS new_id ORDER BY old_id, new_id;
