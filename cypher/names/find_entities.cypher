// One page of a user's entities, the latest mentioned first.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   search    STRING  "an"  folded, anywhere in the name or an alias; null: all
//   after_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  the cursor; null: from the beginning
//   after_id  STRING  "node-1"  the cursor; null: from the beginning
//   limit     INTEGER  21  most rows returned
// Returns      0..limit rows
//   node  MAP  every property
MATCH (n:Entity {user_id: $user_id})
WHERE ($search IS NULL OR any(key IN [n.name_key] + coalesce(n.alias_keys, []) WHERE key CONTAINS $search))
  AND ($after_at IS NULL OR n.last_mentioned_at < $after_at OR (n.last_mentioned_at = $after_at AND n.id < $after_id))
ORDER BY n.last_mentioned_at DESC, n.id DESC LIMIT $limit
RETURN n {.*} AS node;
