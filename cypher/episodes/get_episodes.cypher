// Episodes by their ids.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose episodes they are
//   ids      LIST<STRING>  ["epi-1"]  at most some hundreds
// Returns      one row for each episode found
//   episode  MAP  every property, dates as text
UNWIND $ids AS id
MATCH (e:Episode {id: id}) WHERE e.user_id = $user_id
RETURN e {.*, started_at: toString(e.started_at), ended_at: toString(e.ended_at), due_at: toString(e.due_at),
          last_turn_at: toString(e.last_turn_at)} AS episode;
