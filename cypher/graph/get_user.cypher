// The settings of one user.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  the user
// Returns      0..1 rows
//   time_zone     STRING  an IANA name
//   tier_profile  STRING
MATCH (u:User {user_id: $user_id})
RETURN coalesce(u.time_zone, 'UTC') AS time_zone, coalesce(u.tier_profile, 'default') AS tier_profile;
