// What keyed writes of a user became before: memories of their own, or memories that said it already.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   rows     LIST<MAP>  [{key: "key-1", retelling_id: "rec-1"}]  idempotency keys, each with the id under which it is kept that its statement was known
// Returns      one row for each key that was used
//   key        STRING
//   memory_id  STRING
//   own        BOOLEAN  the memory was written by this key
UNWIND $rows AS row
OPTIONAL MATCH (m:Memory {user_id: $user_id, idempotency_key: row.key})
OPTIONAL MATCH (r:Receipt {id: row.retelling_id}) WHERE r.user_id = $user_id
WITH row, m, coalesce(m.id, r.hit_ids[0]) AS memory_id WHERE memory_id IS NOT NULL
RETURN row.key AS key, memory_id, m IS NOT NULL AS own;
