// The open episode of a user with the latest sign of life.
//
// Access   read
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose episode it is
//   ended_after  ZONED DATETIME  datetime("9999-12-30T00:00Z")  just before what stands for an open end
// Returns      0..1 rows
//   episode  MAP  every property, dates as text
MATCH (e:Episode {user_id: $user_id}) WHERE e.ended_at > $ended_after
RETURN e {.*, started_at: toString(e.started_at), ended_at: toString(e.ended_at), due_at: toString(e.due_at),
          last_turn_at: toString(e.last_turn_at)} AS episode
ORDER BY coalesce(e.last_turn_at, e.started_at) DESC, e.id DESC LIMIT 1;
