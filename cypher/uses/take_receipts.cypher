// Stores receipts and marks them applied; only those that were not applied before come back.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   rows     LIST<MAP>  [{id: "rec-1", at: datetime("2031-01-01T00:00Z"), hit_ids: ["mem-1"]}]  receipts, each once
// Returns      0..n rows
//   id  STRING
UNWIND $rows AS row
MERGE (r:Receipt {user_id: $user_id, id: row.id})
  ON CREATE SET r += row, r.applied = false
SET r.lock = true
REMOVE r.lock
WITH r WHERE r.user_id = $user_id AND NOT r.applied
SET r.applied = true
RETURN r.id AS id;
