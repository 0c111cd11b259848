// Memories of all users whose label says a state that they have left by now, locked until the transaction ends.
//
// Locked in the order of their ids, as every other statement that locks several, so that two never wait for each other.
//
// Access   write
// Scope    system
// Params
//   state  STRING  "core"  the label: core, dream or forgotten
//   at     ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit  INTEGER  500  most memories
// Returns      0..limit rows
//   memory  MAP  every property but the vectors
CALL () {
    WITH $state AS state WHERE state = 'core'
    MATCH (m:Memory) WHERE m.state = 'core' AND m.dream_at <= $at
    RETURN m LIMIT $limit
  UNION ALL
    WITH $state AS state WHERE state = 'dream'
    MATCH (m:Memory) WHERE m.state = 'dream' AND m.forgotten_at <= $at
    RETURN m LIMIT $limit
  UNION ALL
    WITH $state AS state WHERE state = 'forgotten'
    MATCH (m:Memory) WHERE m.state = 'forgotten' AND m.archive_at <= $at
    RETURN m LIMIT $limit
}
WITH m.id AS id ORDER BY id
MATCH (m:Memory {id: id})  // anew: what the index gave of it would be remembered
SET m.lock = true  // before the check below, which then sees what a use changed in between
REMOVE m.lock
WITH m WHERE m.state = $state
  AND CASE $state WHEN 'core' THEN m.dream_at WHEN 'dream' THEN m.forgotten_at ELSE m.archive_at END <= $at
RETURN m {.*, embedding: null, context_embedding: null} AS memory;
