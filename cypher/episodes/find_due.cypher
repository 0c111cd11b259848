// Episodes of a user that wait to be ended or settled, the longest due first.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose episodes they are
//   at       ZONED DATETIME  datetime("9999-01-01T00:00Z")  due before this
//   limit    INTEGER  100  most rows returned
// Returns      0..limit rows
//   id  STRING
MATCH (e:Episode {user_id: $user_id}) WHERE e.due_at < $at
RETURN e.id AS id ORDER BY e.due_at, e.id LIMIT $limit;
