// Links two nodes of a user. An equal link, or its twin from the other end, is raised to the larger weight instead.
//
// Access   write
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose nodes they are
//   source_id  STRING  "mem-1"  where the link starts
//   target_id  STRING  "mem-2"  where it ends
//   type       STRING  "LEADS_TO"  one of schema/names.py
//   twins      LIST<STRING>  ["BECAUSE_OF"]  the types that say the same from the other end
//   weight     FLOAT  0.8  0..1
//   reason     STRING  "she said so"  or null
//   origin     STRING  "user"  rule, model or user
//   at         ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   change     MAP  {id: "chg-1", action: "link", at: datetime("2031-01-01T00:00Z")}  the audit row of the source
// Returns      0..1 rows; none when a node is not this user's
//   link  MAP  type, source, target and properties as stored
MATCH (first:Memory|Person|Entity|Episode|Turn|Note {id: CASE WHEN $source_id < $target_id THEN $source_id ELSE $target_id END})
WHERE first.user_id = $user_id
SET first.lock = true  // both ends, in the order of their ids: links made at once from both sides cannot deadlock
REMOVE first.lock
WITH first
MATCH (second:Memory|Person|Entity|Episode|Turn|Note {id: CASE WHEN $source_id < $target_id THEN $target_id ELSE $source_id END})
WHERE second.user_id = $user_id
SET second.lock = true
REMOVE second.lock
WITH CASE WHEN $source_id < $target_id THEN first ELSE second END AS a,
     CASE WHEN $source_id < $target_id THEN second ELSE first END AS b
OPTIONAL MATCH (a)-[standing]-(b)
WHERE (type(standing) = $type AND startNode(standing) = a) OR (type(standing) IN $twins AND startNode(standing) = b)
WITH a, b, standing LIMIT 1
CALL (a, b, standing) {
    WITH a, b, standing WHERE standing IS NULL
    CREATE (a)-[r:$($type) {user_id: $user_id}]->(b)
    SET r.weight = $weight, r.reason = $reason, r.source = $origin, r.uses = 0, r.created_at = $at
    CREATE (a)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $source_id})
    CREATE (b)-[:CHANGED {user_id: $user_id}]->(c)
    SET c += $change
    RETURN r AS link
  UNION
    WITH a, b, standing WHERE standing IS NOT NULL
    SET standing.weight = CASE WHEN coalesce(standing.weight, 0.0) < $weight THEN $weight ELSE standing.weight END,
        standing.reason = coalesce($reason, standing.reason),
        standing.source = $origin, standing.discovered = null  // it holds by this word now, whatever found it
    RETURN standing AS link
}
CALL (*) {
    WITH * WHERE $type IN ['PRECEDES', 'SUCCEEDS']
    MATCH (u:User {user_id: $user_id})
    SET u.ordered_by_hand = true
}
RETURN link {.*, type: type(link), source_id: startNode(link).id, target_id: endNode(link).id} AS link;
