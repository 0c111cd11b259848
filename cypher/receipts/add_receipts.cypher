// Stores the receipts of answers, all at once.
//
// Access   write
// Scope    user
// Params
//   rows  LIST<MAP>  [{user_id: "user-1", properties: {id: "rec-1", at: datetime("2031-01-01T00:00Z"), hit_ids: ["mem-1"]}}]  receipts
// Returns      1 row
//   receipts  INTEGER
UNWIND $rows AS row
MERGE (r:Receipt {user_id: row.user_id, id: row.properties.id})
  ON CREATE SET r += row.properties
RETURN count(r) AS receipts;
