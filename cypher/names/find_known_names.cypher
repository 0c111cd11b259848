// Every name and alias of a user's persons and entities.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   limit    INTEGER  20000  most rows returned
// Returns      0..limit rows
//   key      STRING  the folded name
//   kind     STRING  person or entity
//   node_id  STRING
//   node_key  STRING  the folded name of the node itself
CALL () {
    MATCH (n:Person {user_id: $user_id})
    UNWIND [n.name_key] + coalesce(n.alias_keys, []) AS key
    RETURN key, 'person' AS kind, n.id AS node_id, n.name_key AS node_key
  UNION
    MATCH (n:Entity {user_id: $user_id})
    UNWIND [n.name_key] + coalesce(n.alias_keys, []) AS key
    RETURN key, 'entity' AS kind, n.id AS node_id, n.name_key AS node_key
}
RETURN key, kind, node_id, node_key LIMIT $limit;
