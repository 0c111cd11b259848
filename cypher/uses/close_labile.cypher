// Closes the labile windows that end first, where a user has more of them open than allowed.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   most     INTEGER  10  how many may be open
// Returns      one row for each window closed
//   id  STRING
MATCH (m:Memory {user_id: $user_id}) WHERE m.labile_until > $at
WITH m ORDER BY m.labile_until DESC, m.id DESC SKIP $most
SET m.labile_until = $at
RETURN m.id AS id;
