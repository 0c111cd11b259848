// The current memory that holds an identity, if any.
//
// Access   read
// Scope    user
// Params
//   user_id      STRING  "user-1"  whose memory it is
//   current_key  STRING  "hash-1"  the content hash
// Returns      0..1 rows
//   id  STRING
MATCH (m:Memory {user_id: $user_id, current_key: $current_key})
RETURN m.id AS id;
