// For each row about to be written: what already stands in its place.
//
// Access   read
// Scope    user
// Params
//   rows  LIST<MAP>  [{user_id: "user-1", idempotency_key: "key-1", current_key: "hash-1", text_hash: "hash-2"}]  in order
// Returns      1 row: many small ones would cost the client more than the look-ups
//   standing  LIST<MAP>  one for each row, in order: replayed_id, the memory that this idempotency key wrote; equal_id, the current memory that says the same; tombstone, whether this text was erased
UNWIND $rows AS row
OPTIONAL MATCH (replayed:Memory {user_id: row.user_id, idempotency_key: row.idempotency_key})
  USING INDEX SEEK replayed:Memory(user_id, idempotency_key)  // while no memory has a key, a scan would seem free
OPTIONAL MATCH (equal:Memory {user_id: row.user_id, current_key: row.current_key})
  USING INDEX SEEK equal:Memory(user_id, current_key)
OPTIONAL MATCH (tombstone:Tombstone {user_id: row.user_id, text_hash: row.text_hash})
  USING INDEX SEEK tombstone:Tombstone(user_id, text_hash)
RETURN collect({replayed_id: replayed.id, equal_id: equal.id, tombstone: tombstone IS NOT NULL}) AS standing;
