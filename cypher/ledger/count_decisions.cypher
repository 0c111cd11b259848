// How many of a user's decisions were believed at an instant (the filters of find_decisions).
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose decisions they are
//   domain      STRING  "work"  folded; null: all; so for the next two
//   topic_key   STRING  "desk"
//   status      STRING  "active"  active or superseded at that instant
//   as_of       ZONED DATETIME  datetime("2031-01-01T00:00Z")  world time
//   known_at    ZONED DATETIME  datetime("2031-01-01T00:00Z")  system time
//   dated       BOOLEAN  false  whether an instant was asked for; else plans for the future are found too
// Returns      1 row
//   decisions  INTEGER
MATCH (m:Decision {user_id: $user_id})
WHERE m.created_at <= $known_at AND any(known IN [
        reduce(dates = [m.valid_at, m.invalid_at, m.invalidated_at, m.expired_at],
               i IN reverse(range(0, size(coalesce(m.past_restored_at, [])) - 1)) |
               CASE WHEN $known_at < m.past_restored_at[i]
                    THEN [m.past_valid_at[i], m.past_invalid_at[i], m.past_invalidated_at[i], m.past_expired_at[i]]
                    ELSE dates END)]
        WHERE $known_at < known[3] AND (NOT $dated OR known[0] <= $as_of)
          AND ($status IS NULL OR ($status = 'superseded') = (known[2] <= $known_at AND known[1] <= $as_of)))
  AND ($domain IS NULL OR m.domain_key = $domain)
  AND ($topic_key IS NULL OR m.topic_key = $topic_key)
RETURN count(m) AS decisions;
