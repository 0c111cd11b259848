// Memories of one user whose label says a state that they have left by now, locked until the transaction ends.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   state    STRING  "core"  the label: core, dream or forgotten
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit    INTEGER  500  most memories
// Returns      0..limit rows
//   memory  MAP  every property but the vectors
MATCH (m:Memory {user_id: $user_id})
WHERE m.state = $state
  AND CASE $state WHEN 'core' THEN m.dream_at WHEN 'dream' THEN m.forgotten_at ELSE m.archive_at END <= $at
WITH m LIMIT $limit
WITH m.id AS id ORDER BY id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id  // anew: what the index gave of it would be remembered
SET m.lock = true  // before the check below, which then sees what a use changed in between
REMOVE m.lock
WITH m WHERE m.state = $state
  AND CASE $state WHEN 'core' THEN m.dream_at WHEN 'dream' THEN m.forgotten_at ELSE m.archive_at END <= $at
RETURN m {.*, embedding: null, context_embedding: null} AS memory;
