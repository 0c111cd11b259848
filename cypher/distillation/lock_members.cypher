// The members of a planned cluster that are still to be distilled, locked until the transaction ends.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["mem-1"]  the members, in the order of their ids
//   key      STRING  "cluster-1"  of the cluster
// Returns      one row for each member found
//   id            STRING
//   content_hash  STRING
MATCH (u:User {user_id: $user_id})
SET u.lock = true  // the user first, as every statement that locks several memories
REMOVE u.lock
WITH u
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
SET m.lock = true  // before the check below, which then sees what another worker did in between
REMOVE m.lock
WITH m WHERE m.distil_key = $key AND m.consolidated_at IS NULL
RETURN m.id AS id, m.content_hash AS content_hash;
