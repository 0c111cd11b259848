// How many memories of one user have dates that follow other settings than those in use.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose memories they are
//   dates_by  STRING  "0123456789abcdef"  names the settings in use
// Returns      1 row
//   memories  INTEGER
RETURN COUNT { MATCH (m:Memory {user_id: $user_id}) WHERE m.dates_by < $dates_by OR m.dates_by > $dates_by } AS memories;
