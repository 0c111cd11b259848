// Removes turns for good, as when a memory that was made of them is erased.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are; this transaction has locked the user
//   ids      LIST<STRING>  ["turn-1"]  the turns
// Returns      1 row
//   turns  INTEGER
UNWIND $ids AS id
MATCH (t:Turn {id: id}) WHERE t.user_id = $user_id
DETACH DELETE t
RETURN count(id) AS turns;
