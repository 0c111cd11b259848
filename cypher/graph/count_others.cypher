// How many persons, entities and episodes a user has.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
// Returns      1 row
//   people    INTEGER
//   entities  INTEGER
//   episodes  INTEGER
RETURN COUNT { MATCH (n:Person {user_id: $user_id}) } AS people,
       COUNT { MATCH (n:Entity {user_id: $user_id}) } AS entities,
       COUNT { MATCH (n:Episode {user_id: $user_id}) } AS episodes;
