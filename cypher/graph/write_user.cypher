// Writes the settings of a user whom this transaction has locked, with their audit rows.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  the user
//   properties  MAP  {time_zone: "Europe/Berlin", tier_profile: "default"}  the settings
//   changes     LIST<MAP>  [{id: "chg-1", action: "settings", field: "time_zone", at: datetime("2031-01-01T00:00Z")}]  audit rows
// Returns      0..1 rows
//   user_id  STRING
MATCH (u:User {user_id: $user_id})
SET u += $properties
CALL () {
    UNWIND $changes AS change
    CREATE (c:Change {user_id: $user_id})
    SET c += change
}
RETURN u.user_id AS user_id;
