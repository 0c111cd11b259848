// How many persons, entities and episodes a user has, and how many memories whose dates follow former settings.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   dates_by  STRING  "0123456789abcdef"  names the settings in use
// Returns      1 row
//   people    INTEGER
//   entities  INTEGER
//   episodes  INTEGER
//   stale_dates  INTEGER
RETURN COUNT { MATCH (n:Person {user_id: $user_id}) } AS people,
       COUNT { MATCH (n:Entity {user_id: $user_id}) } AS entities,
       COUNT { MATCH (n:Episode {user_id: $user_id}) } AS episodes,
       COUNT { MATCH (n:Memory {user_id: $user_id}) WHERE n.dates_by < $dates_by OR n.dates_by > $dates_by } AS stale_dates;
