// The statements among these that are believed still; the user is locked until the transaction ends.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["mem-1"]  the statements
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      one row for each statement found
//   id            STRING
//   content_hash  STRING
MATCH (u:User {user_id: $user_id})
SET u.lock = true
REMOVE u.lock
WITH u
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.user_id = $user_id AND m.invalid_at > $at AND m.expired_at > $at AND m.superseded_at > $at
RETURN m.id AS id, m.content_hash AS content_hash;
