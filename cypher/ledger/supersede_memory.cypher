// Puts one memory in the place of another: the old one ends in the world, and SUPERSEDED_BY leads to the new one.
//
// The caller has locked both and found that the old one is current and that no chain leads from the new one to it.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose memories they are
//   old_id      STRING  "mem-1"  what is superseded
//   new_id      STRING  "mem-2"  what takes its place
//   invalid_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  when the old one ceased to hold
//   at          ZONED DATETIME  datetime("2031-01-02T00:00Z")  now, UTC
//   open_end    ZONED DATETIME  datetime("9999-12-31T00:00Z")  the far future
//   reason      STRING  "she moved"  or null
//   properties  MAP  {confidence: 0.65}  what else changes of the old one, as stored
//   changes     LIST<MAP>  [{id: "chg-1", action: "supersede", at: datetime("2031-01-02T00:00Z")}]  audit rows of the old one
// Returns      0..1 rows; none when one of the two is not this user's
//   id  STRING
MATCH (old:Memory {id: $old_id}) WHERE old.user_id = $user_id
MATCH (new:Memory {id: $new_id}) WHERE new.user_id = $user_id
SET old.superseded_at = $at, old.invalid_at = $invalid_at, old.invalidated_at = $at
SET old += $properties
REMOVE old.current_key, old.head_key
CREATE (old)-[r:SUPERSEDED_BY {user_id: $user_id}]->(new)
SET r.created_at = $at, r.expired_at = $open_end, r.reason = $reason, r.source = 'user', r.weight = 1.0
CALL (old) {
    UNWIND $changes AS change
    CREATE (old)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $old_id})
    SET c += change
}
RETURN old.id AS id;
