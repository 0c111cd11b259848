// Locks a user until the transaction ends, so that changes of their people or episodes come one after the other.
//
// Access   write
// Scope    user
// Params
//   user_id       STRING  "user-1"  the user, made if nothing of them is stored yet
//   time_zone     STRING  "UTC"  of a user who is made here
//   tier_profile  STRING  "default"  of a user who is made here
//   at            ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   user_id    STRING
//   time_zone  STRING  an IANA name
MERGE (u:User {user_id: $user_id})
  ON CREATE SET u.created_at = $at, u.time_zone = $time_zone, u.tier_profile = $tier_profile,
    u.cycle_due_at = $at, u.housekeeping_due_at = $at
SET u.lock = true
REMOVE u.lock
RETURN u.user_id AS user_id, coalesce(u.time_zone, $time_zone) AS time_zone;
