// The latest episodes of a user that were summed up, the latest first, and which of them were reflected on last.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose episodes they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit    INTEGER  10  most rows returned
// Returns      0..limit rows
//   id            STRING
//   at            ZONED DATETIME  when it started
//   summary       STRING
//   topics        LIST<STRING>
//   tone          STRING  null: neutral
//   reflected_on  STRING  the key of the episodes that insights were drawn from last; null: none
MATCH (u:User {user_id: $user_id})
MATCH (e:Episode {user_id: $user_id}) WHERE e.started_at <= $at AND e.summary IS NOT NULL
RETURN e.id AS id, e.started_at AS at, e.summary AS summary, coalesce(e.topics, []) AS topics,
       e.emotional_tone AS tone, u.reflected_on AS reflected_on
ORDER BY e.started_at DESC, e.id DESC LIMIT $limit;
