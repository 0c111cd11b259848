// Persons and entities by their ids.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["per-1"]  at most some hundreds
// Returns      one row for each node found
//   kind  STRING  person or entity
//   node  MAP  every property
UNWIND $ids AS id
MATCH (n:Person|Entity {id: id}) WHERE n.user_id = $user_id
RETURN CASE WHEN n:Person THEN 'person' ELSE 'entity' END AS kind, n {.*} AS node;
