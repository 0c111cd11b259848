// Whether one memory was, over any number of steps, superseded by another.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   from_id  STRING  "mem-1"  the older
//   to_id    STRING  "mem-2"  the newer
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  links that were closed by then do not count
// Returns      1 row
//   leads  BOOLEAN
OPTIONAL MATCH (a:Memory {id: $from_id}) WHERE a.user_id = $user_id
OPTIONAL MATCH (b:Memory {id: $to_id}) WHERE b.user_id = $user_id
RETURN a IS NOT NULL AND b IS NOT NULL AND EXISTS {
    MATCH SHORTEST 1 (a) (()-[s:SUPERSEDED_BY WHERE s.expired_at > $at]->())+ (b)
} AS leads;
