// One link by its type and ends.
//
// Access   read
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose link it is
//   source_id  STRING  "mem-1"  where it starts
//   target_id  STRING  "mem-2"  where it ends
//   type       STRING  "LEADS_TO"  one of schema/names.py
// Returns      0..1 rows
//   link  MAP  type, source, target and properties as stored
MATCH (a:Memory|Person|Entity|Episode|Turn|Note {id: $source_id}) WHERE a.user_id = $user_id
MATCH (b:Memory|Person|Entity|Episode|Turn|Note {id: $target_id}) WHERE b.user_id = $user_id
MATCH (a)-[link]->(b) WHERE type(link) = $type
RETURN link {.*, type: type(link), source_id: a.id, target_id: b.id} AS link LIMIT 1;
