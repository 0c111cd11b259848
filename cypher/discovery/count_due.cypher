// How many memories wait for their links to be found, counted up to a bound.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   most     INTEGER  10000  counted at most
// Returns      1 row
//   memories  INTEGER
CALL () {
    MATCH (m:Memory) WHERE m.user_id = $user_id AND m.link_due_at <= $at
    WITH m WHERE m.enrich_due_at IS NULL
    RETURN m LIMIT $most
}
RETURN count(m) AS memories;
