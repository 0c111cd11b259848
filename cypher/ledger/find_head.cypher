// The current decision of a topic, if there is one.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose decision it is
//   head_key  STRING  "general\u001fdesk"  domain and topic
// Returns      0..1 rows
//   memory  MAP  every property but the vectors
MATCH (m:Memory {user_id: $user_id, head_key: $head_key})
RETURN m {.*, embedding: null, context_embedding: null} AS memory;
