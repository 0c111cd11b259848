// Erases a bounded number of the nodes of one user. Run it until it erases none.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  the user
//   limit    INTEGER  1000  most nodes of each label in one run
// Returns      1 row
//   erased    INTEGER
//   memories  INTEGER  how many of them were memories
CALL () {
    MATCH (n:Memory {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Change {user_id: $user_id}) WHERE n.action <> 'erase_everything' RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Person {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Entity {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Receipt {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Episode {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Tombstone {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Judgement {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Run {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Turn {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Version {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:PrioritySnapshot {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:ModelUsage {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Evidence {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Communication {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Relationship {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:Note {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:ApiKey {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL
    MATCH (n:User {user_id: $user_id}) RETURN n LIMIT $limit
}
WITH collect(n) AS nodes, count(CASE WHEN n:Memory THEN 1 END) AS memories
CALL (nodes) {
    UNWIND nodes AS n
    DETACH DELETE n
}
RETURN size(nodes) AS erased, memories;
