// For each row about to be written: what already stands in its place.
//
// Access   read
// Scope    user
// Params
//   rows  LIST<MAP>  [{user_id: "user-1", idempotency_key: "key-1", current_key: "hash-1", text_hash: "hash-2"}]  in order
// Returns      one row for each row, in order
//   replayed_id  STRING  the memory that this idempotency key wrote
//   equal_id     STRING  the current memory that says the same
//   tombstone    BOOLEAN  whether this text was erased
UNWIND $rows AS row
OPTIONAL MATCH (replayed:Memory {user_id: row.user_id, idempotency_key: row.idempotency_key})
  USING INDEX SEEK replayed:Memory(user_id, idempotency_key)  // while no memory has a key, a scan would seem free
OPTIONAL MATCH (equal:Memory {user_id: row.user_id, current_key: row.current_key})
  USING INDEX SEEK equal:Memory(user_id, current_key)
OPTIONAL MATCH (tombstone:Tombstone {user_id: row.user_id, text_hash: row.text_hash})
  USING INDEX SEEK tombstone:Tombstone(user_id, text_hash)
RETURN replayed.id AS replayed_id, equal.id AS equal_id, tombstone IS NOT NULL AS tombstone;
