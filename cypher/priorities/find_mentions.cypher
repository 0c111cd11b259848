// What a user said of a span of time and of what is to come, with what tells its topics and its strength; the latest first.
//
// What the memory itself concluded or merged is no mention; what gave way later is one.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   since    ZONED DATETIME  datetime("2000-01-01T00:00Z")  what happened later, or was to happen
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit    INTEGER  5000  most rows returned
// Returns      0..limit rows
//   topic_key  STRING  of a decision that was given one
//   bucket     STRING
//   names      LIST<STRING>  folded, of the entities and people it refers to, but for its speaker
//   base_strength        FLOAT
//   anchor_at            STRING
//   spaced_access_count  INTEGER
//   arousal              FLOAT
MATCH (m:Memory {user_id: $user_id})
WHERE m.occurred_at > $since AND m.created_at <= $at
  AND m.kind IN ['episodic', 'semantic', 'decision'] AND m.source <> 'consolidated'
  AND (m.expired_at > $at OR m.superseded_at <= $at)
WITH m ORDER BY m.occurred_at DESC LIMIT $limit
RETURN CASE WHEN m.topic_key <> toLower(m.id) THEN m.topic_key END AS topic_key, m.bucket AS bucket,
       COLLECT {
         MATCH (m)-[r:REFERS_TO {user_id: $user_id}]->(n:Entity|Person {user_id: $user_id})
         WHERE coalesce(r.reason, '') <> 'speaker'
         RETURN n.name_key ORDER BY n.name_key
       } AS names,
       m.base_strength AS base_strength, toString(m.anchor_at) AS anchor_at,
       m.spaced_access_count AS spaced_access_count, m.arousal AS arousal;
