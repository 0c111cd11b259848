// Removes one link, with an audit row.
//
// Access   write
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose link it is
//   source_id  STRING  "mem-1"  where it starts
//   target_id  STRING  "mem-2"  where it ends
//   type       STRING  "LEADS_TO"  one of schema/names.py
//   change     MAP  {id: "chg-1", action: "unlink", at: datetime("2031-01-01T00:00Z")}  the audit row of the source
// Returns      0..1 rows
//   removed  INTEGER
MATCH (a:Memory|Person|Entity|Episode|Turn|Note {id: $source_id}) WHERE a.user_id = $user_id
MATCH (b:Memory|Person|Entity|Episode|Turn|Note {id: $target_id}) WHERE b.user_id = $user_id
MATCH (a)-[link]->(b) WHERE type(link) = $type
DELETE link
CREATE (a)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $source_id})
CREATE (b)-[:CHANGED {user_id: $user_id}]->(c)
SET c += $change
RETURN 1 AS removed;
