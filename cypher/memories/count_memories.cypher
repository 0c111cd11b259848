// How many of a user's memories pass every given filter (the filters of find_memories).
//
// Access   read
// Scope    user
// Params
//   user_id        STRING  "user-1"  whose memories they are
//   at             ZONED DATETIME  datetime("2031-01-01T00:00Z")  the instant for hidden, superseded, states
//   created_from   ZONED DATETIME  datetime("0001-01-01T00:00Z")  from, included
//   created_until  ZONED DATETIME  datetime("9999-12-31T00:00Z")  until, not included
//   kinds          LIST<STRING>  ["episodic"]  any of these; null: all; so for every filter below
//   buckets        LIST<STRING>  ["default"]
//   lanes          LIST<STRING>  ["short_term"]
//   categories     LIST<STRING>  ["other"]
//   tags           LIST<STRING>  ["work"]
//   session_id     STRING  "session-1"
//   agent_id       STRING  "agent-1"
//   external_id    STRING  "external-1"
//   pinned         BOOLEAN  true
//   hidden         BOOLEAN  false
//   superseded     BOOLEAN  false
//   expired        BOOLEAN  false
//   labile         BOOLEAN  false
//   valid_from     ZONED DATETIME  datetime("2031-01-01T00:00Z")
//   valid_until    ZONED DATETIME  datetime("2032-01-01T00:00Z")
//   known_at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  system time of what was believed; null: whatever was
//   as_of          ZONED DATETIME  datetime("2031-01-01T00:00Z")  world time of it
//   states         LIST<STRING>  ["core"]
//   touched        LIST<MAP>  [{after: datetime("2031-01-01T00:00Z"), until: datetime("2032-01-01T00:00Z")}]  not pinned, last touched in
//   text           STRING  "desk"  lower case, anywhere in the text
//   name_keys      LIST<STRING>  ["ana"]  people or entities, by their folded names
// Returns      1 row
//   memories  INTEGER
MATCH (m:Memory {user_id: $user_id})
WHERE m.created_at >= $created_from AND m.created_at < $created_until
  AND ($kinds IS NULL OR m.kind IN $kinds)
  AND ($buckets IS NULL OR m.bucket IN $buckets)
  AND ($lanes IS NULL OR m.lane IN $lanes)
  AND ($categories IS NULL OR m.category IN $categories)
  AND ($tags IS NULL OR any(tag IN m.tags WHERE tag IN $tags))
  AND ($session_id IS NULL OR m.session_id = $session_id)
  AND ($agent_id IS NULL OR m.agent_id = $agent_id)
  AND ($external_id IS NULL OR m.external_id = $external_id)
  AND ($pinned IS NULL OR m.pinned = $pinned)
  AND ($hidden IS NULL OR (m.visible_until <= $at) = $hidden)
  AND ($superseded IS NULL OR (m.superseded_at <= $at) = $superseded)
  AND ($expired IS NULL OR (m.expired_at <= $at) = $expired)
  AND ($labile IS NULL OR coalesce(m.labile_until > $at, false) = $labile)
  AND ($valid_from IS NULL OR m.valid_at >= $valid_from)
  AND ($valid_until IS NULL OR m.valid_at < $valid_until)
  AND ($states IS NULL OR CASE WHEN $at >= m.archive_at THEN 'archive' WHEN $at >= m.forgotten_at THEN 'forgotten'
                               WHEN $at >= m.dream_at THEN 'dream' ELSE 'core' END IN $states)
  AND ($touched IS NULL OR (NOT m.pinned
        AND any(span IN $touched WHERE span.after < m.touched_at AND m.touched_at <= span.until)))
  AND ($known_at IS NULL OR (m.created_at <= $known_at AND any(known IN [
        reduce(dates = [m.valid_at, m.invalid_at, m.invalidated_at, m.expired_at],
               i IN reverse(range(0, size(coalesce(m.past_restored_at, [])) - 1)) |
               CASE WHEN $known_at < m.past_restored_at[i]
                    THEN [m.past_valid_at[i], m.past_invalid_at[i], m.past_invalidated_at[i], m.past_expired_at[i]]
                    ELSE dates END)]
        WHERE known[0] <= $as_of AND $known_at < known[3] AND NOT (known[2] <= $known_at AND known[1] <= $as_of))))
  AND ($text IS NULL OR toLower(m.text) CONTAINS $text)
  AND ($name_keys IS NULL OR EXISTS {
        MATCH (m)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id})
        WHERE any(key IN [named.name_key] + coalesce(named.alias_keys, []) WHERE key IN $name_keys) })
RETURN count(m) AS memories;
