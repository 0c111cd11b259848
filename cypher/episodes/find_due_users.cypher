// Users some of whose episodes or turns wait to be seen to, the longest due first.
//
// Access   read
// Scope    system
// Params
//   at     ZONED DATETIME  datetime("2031-01-01T00:00Z")  due before this
//   pool   INTEGER  1000  episodes and turns looked at
//   limit  INTEGER  100  most rows returned
// Returns      0..limit rows
//   user_id  STRING
CALL () {
    MATCH (e:Episode) WHERE e.due_at < $at
    RETURN e.user_id AS user_id, e.due_at AS due_at ORDER BY due_at LIMIT $pool
  UNION ALL
    MATCH (t:Turn) WHERE t.memory_due_at < $at
    RETURN t.user_id AS user_id, t.memory_due_at AS due_at ORDER BY due_at LIMIT $pool
}
WITH user_id, min(due_at) AS due_at ORDER BY due_at, user_id LIMIT $limit
RETURN user_id;
