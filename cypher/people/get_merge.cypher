// The audit row of a merge of two people.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   id       STRING  "chg-1"  the row
// Returns      0..1 rows
//   keep_id  STRING  the person who was kept
//   before   STRING  JSON, what undoing needs
MATCH (c:Change {id: $id}) WHERE c.user_id = $user_id AND c.action = 'merge_people'
RETURN c.target_id AS keep_id, c.before AS before;
