// Writes what changed of an episode, with its audit rows.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose episode it is; this transaction has locked the user
//   id          STRING  "epi-1"  the episode
//   properties  MAP  {turn_count: 2}  as stored
//   changes     LIST<MAP>  [{id: "chg-1", action: "end_episode", at: datetime("2031-01-01T00:00Z")}]  audit rows
// Returns      0..1 rows
//   id  STRING
MATCH (e:Episode {id: $id}) WHERE e.user_id = $user_id
SET e += $properties
CALL (e) {
    UNWIND $changes AS change
    CREATE (c:Change {user_id: $user_id, target_id: $id})
    SET c += change
}
RETURN e.id AS id;
