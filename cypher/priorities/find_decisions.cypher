// A user's decisions of a span of time, with what they are about, and what those that they replaced were about.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   since    ZONED DATETIME  datetime("2000-01-01T00:00Z")  decided later
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  up to and with this instant, UTC
//   limit    INTEGER  100  most rows returned, the latest decisions
// Returns      0..limit rows
//   id         STRING
//   topics     LIST<STRING>  topic key, domain, bucket and the names it refers to, folded
//   replaced   LIST<STRING>  the same of what it replaced
//   reasoning  STRING
MATCH (d:Decision {user_id: $user_id})
WHERE d.valid_at > $since AND d.valid_at <= $at AND d.expired_at > $at
WITH d ORDER BY d.valid_at DESC, d.id LIMIT $limit
RETURN d.id AS id,
       [d.topic_key, d.domain_key, toLower(d.bucket)] + COLLECT {
         MATCH (d)-[r:REFERS_TO {user_id: $user_id}]->(n:Entity|Person {user_id: $user_id})
         WHERE coalesce(r.reason, '') <> 'speaker'
         RETURN n.name_key
       } AS topics,
       COLLECT {
         MATCH (d)<-[s:SUPERSEDED_BY {user_id: $user_id}]-(old:Memory {user_id: $user_id}) WHERE s.expired_at > $at
         UNWIND [coalesce(old.topic_key, ''), coalesce(old.domain_key, ''), toLower(old.bucket)] + COLLECT {
           MATCH (old)-[r:REFERS_TO {user_id: $user_id}]->(n:Entity|Person {user_id: $user_id})
           WHERE coalesce(r.reason, '') <> 'speaker'
           RETURN n.name_key
         } AS topic
         RETURN DISTINCT topic
       } AS replaced,
       d.reasoning AS reasoning;
