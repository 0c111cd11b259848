// One page of the audit rows of a node, the latest first.
//
// Access   read
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose they are
//   target_id  STRING  "mem-1"  the memory, person or receipt
//   after_at   ZONED DATETIME  datetime("2031-01-01T00:00Z")  the cursor; null: from the beginning
//   after_id   STRING  "chg-1"
//   limit      INTEGER  21  most rows returned
// Returns      0..limit rows
//   change  MAP  every property
MATCH (c:Change {target_id: $target_id}) WHERE c.user_id = $user_id
  AND ($after_at IS NULL OR c.at < $after_at OR (c.at = $after_at AND c.id < $after_id))
RETURN c {.*} AS change ORDER BY c.at DESC, c.id DESC LIMIT $limit;
