// Every relationship of people, whatever it leads to.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["per-1"]  the people
// Returns      0..n rows
//   id          STRING  the person
//   type        STRING
//   outgoing    BOOLEAN  whether it starts at the person
//   other_id    STRING  the other end
//   properties  MAP
UNWIND $ids AS id
MATCH (p:Person {id: id}) WHERE p.user_id = $user_id
MATCH (p)-[r]-(other) WHERE other.user_id = $user_id
RETURN id, type(r) AS type, startNode(r) = p AS outgoing, other.id AS other_id, properties(r) AS properties
ORDER BY id, type, outgoing, other_id;
