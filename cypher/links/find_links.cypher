// One page of the links of a node, both directions, the heaviest first.
//
// Access   read
// Scope    user
// Params
//   user_id       STRING  "user-1"  whose node it is
//   node_id       STRING  "mem-1"  the node
//   types         LIST<STRING>  ["NEXT", "REFERS_TO"]  the link types wanted
//   after_weight  FLOAT  0.5  the cursor; null: from the beginning
//   after_key     STRING  "NEXT~mem-1~mem-2"  the cursor
//   limit         INTEGER  21  most rows returned
// Returns      0..limit rows
//   link  MAP  type, source, target and properties as stored
MATCH (n:Memory|Person|Entity|Episode|Turn|Note {id: $node_id}) WHERE n.user_id = $user_id
MATCH (n)-[link]-(other) WHERE type(link) IN $types AND other.user_id = $user_id
WITH link, coalesce(link.weight, 1.0) AS weight, type(link) + '~' + startNode(link).id + '~' + endNode(link).id AS key
WHERE $after_weight IS NULL OR weight < $after_weight OR (weight = $after_weight AND key > $after_key)
ORDER BY weight DESC, key LIMIT $limit
RETURN link {.*, type: type(link), source_id: startNode(link).id, target_id: endNode(link).id} AS link;
