// Claims what a user said in an episode and nothing was drawn from yet, in its order, unless another worker has it.
//
// A claim that is not finished falls due again by itself. What was put off goes with what is due.
//
// Access   write
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose episode it is
//   episode_id   STRING  "epi-1"  the episode
//   min_turns    INTEGER  2  an episode with fewer turns is not drawn from
//   at           ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   lease_until  ZONED DATETIME  datetime("2031-01-01T00:10Z")  when an unfinished claim falls due again
//   claim        STRING  "claim-1"  this claim
//   limit        INTEGER  10  most turns claimed
// Returns      0..limit rows
//   id        STRING  the turn
//   attempts  INTEGER  this one counted
//   drawn     STRING  what was drawn from it before, as JSON; null: nothing was
MATCH (e:Episode {id: $episode_id}) WHERE e.user_id = $user_id
SET e.lock = true  // before the check below, which then sees what another claim took in between
REMOVE e.lock
WITH e WHERE e.turn_count >= $min_turns
MATCH (e)-[:HAS_TURN]->(t {user_id: $user_id})  // without a label, so that the plan goes by the episode
WHERE t.extract_due_at IS NOT NULL AND t.memory_due_at IS NULL
  AND (t.extract_due_at <= $at OR (t.extract_claim IS NULL AND t.extract_problem IS NULL))
WITH t ORDER BY t.occurred_at, t.id LIMIT $limit
SET t.extract_claim = $claim, t.extract_due_at = $lease_until,
    t.extract_attempts = coalesce(t.extract_attempts, 0) + 1
RETURN t.id AS id, t.extract_attempts AS attempts, t.extract_drawn AS drawn
ORDER BY t.occurred_at, id;
