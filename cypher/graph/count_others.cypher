// How many persons, entities and episodes a user has, what waits of their turns, and how many dates are former settings'.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   dates_by  STRING  "0123456789abcdef"  names the settings in use
//   ends_at   ZONED DATETIME  datetime("9999-12-31T00:00Z")  after any date
// Returns      1 row
//   people    INTEGER
//   entities  INTEGER
//   episodes  INTEGER
//   awaiting_extraction  INTEGER  turns that nothing was drawn from yet
//   parked_extractions   INTEGER  turns of which that was given up
//   stale_dates  INTEGER  memories whose dates follow former settings
RETURN COUNT { MATCH (n:Person {user_id: $user_id}) } AS people,
       COUNT { MATCH (n:Entity {user_id: $user_id}) } AS entities,
       COUNT { MATCH (n:Episode {user_id: $user_id}) } AS episodes,
       COUNT { MATCH (n:Turn {user_id: $user_id}) USING INDEX SEEK n:Turn(user_id, extract_due_at)
               WHERE n.extract_due_at <= $ends_at } AS awaiting_extraction,
       COUNT { MATCH (n:Turn {user_id: $user_id}) USING INDEX SEEK n:Turn(user_id, extract_parked_at)
               WHERE n.extract_parked_at <= $ends_at } AS parked_extractions,
       COUNT { MATCH (n:Memory {user_id: $user_id}) WHERE n.dates_by < $dates_by OR n.dates_by > $dates_by } AS stale_dates;
