// Notes that a memory speaks of a person; the memory is locked, so that an erasure comes before or after.
//
// Access   write
// Scope    user
// Params
//   user_id       STRING  "user-1"  whose they are
//   memory_id     STRING  "mem-1"  the memory
//   person_id     STRING  "per-1"  the person
//   weight        FLOAT  0.8  of the first link to a person; the more memories refer to them, the less (names.mention_weight)
//   rare_names    FLOAT  20.0  after so many it is clearly less
//   least_weight  FLOAT  0.1  it is never below
//   at            ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows; none when one of the two is not this user's
//   id  STRING  of the memory
MATCH (m:Memory {id: $memory_id}) WHERE m.user_id = $user_id
SET m.lock = true
REMOVE m.lock
WITH m
MATCH (p:Person {id: $person_id}) WHERE p.user_id = $user_id
WITH m, p, $weight / (1.0 + log(1.0 + COUNT { (p)<-[:REFERS_TO]-() } / $rare_names)) AS weight
MERGE (m)-[r:REFERS_TO {user_id: $user_id}]->(p)
  ON CREATE SET r.weight = CASE WHEN weight < $least_weight THEN $least_weight ELSE weight END, r.source = 'user',
                r.uses = 0, r.created_at = $at, r.reason = 'mentioned'
RETURN m.id AS id;
