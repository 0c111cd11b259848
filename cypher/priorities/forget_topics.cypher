// Takes topics out of a user's priority snapshots that no name and no decision holds any more.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   topics   LIST<STRING>  ["boat"]  what an erased memory was about
// Returns      1 row
//   snapshots  INTEGER  how many held one
UNWIND $topics AS topic
WITH topic
WHERE NOT EXISTS { MATCH (p:Person {user_id: $user_id, name_key: topic}) }
  AND NOT EXISTS { MATCH (e:Entity {user_id: $user_id, name_key: topic}) }
  AND NOT EXISTS { MATCH (d:Decision {user_id: $user_id, topic_key: topic}) }
WITH collect(topic) AS gone
CALL (gone) {
    MATCH (s:PrioritySnapshot {user_id: $user_id}) WHERE any(topic IN s.topics WHERE topic IN gone)
    WITH s, [place IN range(0, size(s.topics) - 1) WHERE NOT s.topics[place] IN gone] AS kept
    SET s.weights = [place IN kept | s.weights[place]], s.topics = [place IN kept | s.topics[place]]
    RETURN count(s) AS snapshots
}
RETURN snapshots;
