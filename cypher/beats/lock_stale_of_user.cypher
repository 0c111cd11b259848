// Memories of one user whose dates follow other settings than the graph's, locked until the transaction ends.
//
// None when the graph has adopted other settings than these meanwhile.
//
// Access   write
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose memories they are
//   dates_by  STRING  "0123456789abcdef"  names the settings in use
//   limit     INTEGER  500  most memories
// Returns      0..limit rows
//   memory  MAP  every property but the vectors
MATCH (g:Graph {id: 'graph'}) WHERE g.dates_by = $dates_by
MATCH (m:Memory {user_id: $user_id}) WHERE m.dates_by < $dates_by OR m.dates_by > $dates_by
WITH m LIMIT $limit
WITH m.id AS id ORDER BY id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id  // anew: what the index gave of it would be remembered
SET m.lock = true  // before the check below, which then sees what another worker dated in between
REMOVE m.lock
WITH m WHERE m.dates_by <> $dates_by
RETURN m {.*, embedding: null, context_embedding: null} AS memory;
