// The settings of a user, who is locked until the transaction ends; one who was not there yet is created.
//
// Access   write
// Scope    user
// Params
//   user_id    STRING  "user-1"  the user
//   otherwise  MAP  {time_zone: "UTC", tier_profile: "default"}  the settings of a new user
//   at         ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   time_zone     STRING  an IANA name
//   tier_profile  STRING
MERGE (u:User {user_id: $user_id})
  ON CREATE SET u.created_at = $at, u.cycle_due_at = $at, u.housekeeping_due_at = $at, u += $otherwise
SET u.lock = true
REMOVE u.lock
RETURN coalesce(u.time_zone, $otherwise.time_zone) AS time_zone,
       coalesce(u.tier_profile, $otherwise.tier_profile) AS tier_profile;
