// What was concluded of pairs of memories before.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   keys     LIST<STRING>  ["audit mem-1 mem-2"]  purpose and ids, the smaller first
// Returns      one row for each pair that was judged
//   pair_key     STRING
//   text_hashes  LIST<STRING>  of the texts that were judged, in the order of the ids
UNWIND $keys AS key
MATCH (j:Judgement {user_id: $user_id, pair_key: key})
RETURN j.pair_key AS pair_key, coalesce(j.text_hashes, []) AS text_hashes;
