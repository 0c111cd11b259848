// Removes the node of a person whom another takes in; what leads to it was moved before.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose person it is
//   id       STRING  "per-1"  the person
// Returns      1 row
//   erased  INTEGER
MATCH (p:Person {id: $id}) WHERE p.user_id = $user_id
DETACH DELETE p
RETURN count($id) AS erased;
