// One page of the latest episodes of a user, the latest first.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose episodes they are
//   recorded  BOOLEAN  false  only those that were summed up
//   most      INTEGER  200  how many episodes the whole list has at most
//   after_at  ZONED DATETIME  datetime("9999-12-31T00:00Z")  the cursor; null: from the beginning
//   after_id  STRING  "epi-9"
//   limit     INTEGER  11  most rows returned
// Returns      0..limit rows
//   episode  MAP  every property, dates as text
MATCH (e:Episode {user_id: $user_id}) WHERE e.started_at IS NOT NULL AND (NOT $recorded OR e.summary IS NOT NULL)
WITH e ORDER BY e.started_at DESC, e.id DESC LIMIT $most
WHERE $after_at IS NULL OR e.started_at < $after_at OR (e.started_at = $after_at AND e.id < $after_id)
WITH e ORDER BY e.started_at DESC, e.id DESC LIMIT $limit
RETURN e {.*, started_at: toString(e.started_at), ended_at: toString(e.ended_at), due_at: toString(e.due_at),
          last_turn_at: toString(e.last_turn_at)} AS episode;
