// Says when a beat falls due next for a user.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  the user
//   due      MAP  {housekeeping_due_at: datetime("2031-01-02T00:00Z")}  when
// Returns      0..1 rows
//   user_id  STRING
MATCH (u:User {user_id: $user_id})
SET u += $due
RETURN u.user_id AS user_id;
