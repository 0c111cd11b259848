// Notes that one memory contradicts another, which stays: the user is to settle it.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   new_id   STRING  "mem-2"  the newer
//   old_id   STRING  "mem-1"  the older
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows
//   id  STRING  of the older
MATCH (new:Memory {id: $new_id}) WHERE new.user_id = $user_id
MATCH (old:Memory {id: $old_id}) WHERE old.user_id = $user_id
MERGE (new)-[c:CONTRADICTS]->(old)
  ON CREATE SET c.user_id = $user_id, c.created_at = $at, c.source = 'rule', c.weight = 1.0, c.uses = 0, c.settled = false
RETURN old.id AS id;
