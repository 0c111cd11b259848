// Keeps what was drawn from turns until it is written, so that a try after a break does not ask for it again.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are
//   claim    STRING  "claim-1"  the claim under which it was drawn
//   rows     LIST<MAP>  [{id: "turn-1", drawn: "{}"}]  turns, each with what it says as JSON
// Returns      1 row
//   turns  INTEGER  fewer than given where another worker has them now
UNWIND $rows AS row
MATCH (t:Turn {id: row.id}) WHERE t.user_id = $user_id AND t.extract_claim = $claim
SET t.extract_drawn = row.drawn
RETURN count(t) AS turns;
