// Memories of all users whose dates follow other settings than the graph's, locked until the transaction ends.
//
// None when the graph has adopted other settings than these meanwhile: then it is not for this worker to date anything.
//
// Access   write
// Scope    system
// Params
//   dates_by  STRING  "0123456789abcdef"  names the settings in use
//   limit     INTEGER  500  most memories
// Returns      0..limit rows
//   memory  MAP  every property but the vectors
MATCH (g:Graph {id: 'graph'}) WHERE g.dates_by = $dates_by
CALL () {
    MATCH (m:Memory) WHERE m.dates_by < $dates_by
    RETURN m LIMIT $limit
  UNION ALL
    MATCH (m:Memory) WHERE m.dates_by > $dates_by
    RETURN m LIMIT $limit
}
WITH m.id AS id ORDER BY id LIMIT $limit
MATCH (m:Memory {id: id})  // anew: what the index gave of it would be remembered
SET m.lock = true  // before the check below, which then sees what another worker dated in between
REMOVE m.lock
WITH m WHERE m.dates_by <> $dates_by
RETURN m {.*, embedding: null, context_embedding: null} AS memory;
