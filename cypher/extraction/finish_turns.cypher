// Notes that all was drawn from turns; one whose claim was taken over meanwhile is left to the other claim.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are
//   claim    STRING  "claim-1"  the claim that this finishes
//   ids      LIST<STRING>  ["turn-1"]  the turns
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   turns  INTEGER
UNWIND $ids AS id
MATCH (t:Turn {id: id}) WHERE t.user_id = $user_id AND t.extract_claim = $claim
SET t.extracted_at = $at, t.extract_due_at = null, t.extract_claim = null, t.extract_problem = null,
    t.extract_drawn = null
RETURN count(t) AS turns;
