// Puts off turns that are due to be drawn from, of episodes with too few turns: until more come, or for good at the end.
//
// Access   write
// Scope    system
// Params
//   at         ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   again_at   ZONED DATETIME  datetime("2031-01-01T00:30Z")  when to look again at an open episode
//   open_end   ZONED DATETIME  datetime("9999-12-31T00:00Z")  how an open end is stored
//   min_turns  INTEGER  2  an episode with fewer is not drawn from
//   limit      INTEGER  200  most turns looked at
// Returns      1 row
//   turns  INTEGER  how many were put off
MATCH (t:Turn) WHERE t.extract_due_at <= $at
WITH t ORDER BY t.extract_due_at LIMIT $limit
OPTIONAL MATCH (e:Episode {id: t.episode_id}) WHERE e.user_id = t.user_id
WITH t, e WHERE e IS NULL OR e.turn_count < $min_turns
SET t.extract_due_at = CASE WHEN e.ended_at >= $open_end THEN $again_at END
RETURN count(t) AS turns;
