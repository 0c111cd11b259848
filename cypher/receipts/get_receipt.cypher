// One receipt.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   id       STRING  "rec-1"  the receipt
// Returns      0..1 rows
//   receipt  MAP  as stored
MATCH (r:Receipt {id: $id}) WHERE r.user_id = $user_id
RETURN r {.*} AS receipt;
