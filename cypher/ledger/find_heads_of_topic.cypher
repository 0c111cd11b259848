// One member of each chain of decisions on a topic, in every domain or in one.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose decisions they are
//   topic_key   STRING  "desk"  folded
//   domain_key  STRING  "work"  folded; null: every domain
//   known_at    ZONED DATETIME  datetime("2031-01-01T00:00Z")  system time
// Returns      0..n rows
//   id  STRING
MATCH (m:Decision {user_id: $user_id, topic_key: $topic_key})
WHERE ($domain_key IS NULL OR m.domain_key = $domain_key) AND m.created_at <= $known_at AND $known_at < m.expired_at
WITH m.domain_key AS domain, m ORDER BY m.valid_at DESC, m.id DESC
WITH domain, head(collect(m.id)) AS id
RETURN id ORDER BY domain;
