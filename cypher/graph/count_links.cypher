// A user's links, counted by type.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose links they are
//   types    LIST<STRING>  ["NEXT", "REFERS_TO"]  the link types
// Returns      0..n rows
//   type   STRING
//   links  INTEGER
MATCH (m:Memory|Person|Entity {user_id: $user_id})-[r]->() WHERE type(r) IN $types
RETURN type(r) AS type, count(r) AS links ORDER BY type;
