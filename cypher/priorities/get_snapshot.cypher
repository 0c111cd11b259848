// One priority snapshot.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   id       STRING  "snap-1"  the snapshot
// Returns      0..1 rows
//   snapshot  MAP  every property
MATCH (s:PrioritySnapshot {id: $id}) WHERE s.user_id = $user_id
RETURN s {.*} AS snapshot;
