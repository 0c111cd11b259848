// Current memories whose text was not compared with its neighbours yet, for one purpose, the newest first.
//
// A memory remembers the text that it was compared with (`compared`: purpose and text hash), so a new text is compared
// anew, whoever wrote it.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose memories they are
//   purpose   STRING  "merge"  merge or audit
//   kinds     LIST<STRING>  ["semantic"]  any of these
//   horizons  LIST<STRING>  ["long", "medium"]  any of these
//   at        ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit     INTEGER  100  most rows returned
// Returns      0..limit rows
//   id  STRING
MATCH (m:Memory {user_id: $user_id})
WHERE m.kind IN $kinds AND m.horizon IN $horizons AND m.embedding IS NOT NULL
  AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
  AND NOT coalesce($purpose + ' ' + m.text_hash IN m.compared, false)
RETURN m.id AS id ORDER BY m.created_at DESC, m.id DESC LIMIT $limit;
