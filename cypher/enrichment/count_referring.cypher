// How many memories refer to persons and entities: the rarer a name, the more a link to it tells.
//
// Access   read
// Scope    system
// Params
//   nodes  LIST<MAP>  [{user_id: "user-1", kind: "person", name_key: "ana"}]  nodes by their folded names
// Returns      one row for each node found
//   user_id   STRING
//   kind      STRING  person or entity
//   name_key  STRING
//   memories  INTEGER  links to it, which its own degree tells without reading them
UNWIND $nodes AS node
CALL (node) {
    WITH node WHERE node.kind = 'person'
    MATCH (n:Person {user_id: node.user_id, name_key: node.name_key})
    RETURN COUNT { (n)<-[:REFERS_TO]-() } AS memories
  UNION ALL
    WITH node WHERE node.kind = 'entity'
    MATCH (n:Entity {user_id: node.user_id, name_key: node.name_key})
    RETURN COUNT { (n)<-[:REFERS_TO]-() } AS memories
}
RETURN node.user_id AS user_id, node.kind AS kind, node.name_key AS name_key, memories;
