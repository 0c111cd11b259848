// Erases persons and entities that no memory names any more, that nothing else speaks of and no hand has edited.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["per-1"]  the persons and entities to look at
// Returns      1 row
//   erased  INTEGER
UNWIND $ids AS id
MATCH (n:Person|Entity {id: id}) WHERE n.user_id = $user_id
  AND NOT coalesce(n.edited_by_hand, false) AND NOT coalesce(n.pinned, false)
  AND NOT EXISTS { MATCH (n)-[:REFERS_TO|MENTIONED_IN]-(:Memory {user_id: $user_id}) }
  AND NOT EXISTS { MATCH (n)-[:HAS_EVIDENCE]->(:Evidence {user_id: $user_id}) }
  AND NOT EXISTS { MATCH (n)-[:HAS_COMMUNICATION]->(:Communication {user_id: $user_id}) }
DETACH DELETE n
RETURN count(id) AS erased;
