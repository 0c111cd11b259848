// How many turns of a user were given up since nothing could be drawn from them, with the memories made of the latest.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are
//   at       ZONED DATETIME  datetime("9999-01-01T00:00Z")  now, UTC
//   limit    INTEGER  10  most memories returned
// Returns      0..1 row
//   count  INTEGER  how many turns there are
//   ids    LIST<STRING>  of memories
//   since  ZONED DATETIME  when the last was given up
MATCH (t:Turn {user_id: $user_id})
USING INDEX SEEK t:Turn(user_id, extract_parked_at)
WHERE t.extract_parked_at <= $at
WITH t ORDER BY t.extract_parked_at DESC, t.id
WITH count(t) AS count, collect(t)[..$limit] AS latest, max(t.extract_parked_at) AS since WHERE count > 0
CALL (latest) {
    UNWIND range(0, size(latest) - 1) AS place
    WITH latest[place] AS t, place
    MATCH (m:Episodic)-[:MENTIONED_IN]->(t) WHERE m.user_id = $user_id
    WITH m, min(place) AS place ORDER BY place, m.id LIMIT $limit
    RETURN collect(m.id) AS ids
}
RETURN count, ids, since;
