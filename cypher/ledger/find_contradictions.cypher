// One page of a user's contradictions, the latest first.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose memories they are
//   settled   BOOLEAN  false  whether one of the two gave way; null: either
//   after_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  the cursor; null: from the beginning
//   after_id  STRING  "mem-2~mem-1"
//   limit     INTEGER  21  most rows returned
// Returns      0..limit rows
//   older    MAP  every property but the vectors
//   newer    MAP  every property but the vectors
//   settled  BOOLEAN
//   at       ZONED DATETIME
//   reason   STRING
//   key      STRING  for the cursor
MATCH (newer:Memory {user_id: $user_id})-[c:CONTRADICTS {user_id: $user_id}]->(older:Memory {user_id: $user_id})
USING INDEX SEEK c:CONTRADICTS(user_id)
WHERE $settled IS NULL OR coalesce(c.settled, false) = $settled
WITH newer, older, c, newer.id + '~' + older.id AS key
WHERE $after_at IS NULL OR c.created_at < $after_at OR (c.created_at = $after_at AND key < $after_id)
WITH newer, older, c, key ORDER BY c.created_at DESC, key DESC LIMIT $limit
RETURN older {.*, embedding: null, context_embedding: null} AS older,
       newer {.*, embedding: null, context_embedding: null} AS newer,
       coalesce(c.settled, false) AS settled, c.created_at AS at, c.reason AS reason, key;
