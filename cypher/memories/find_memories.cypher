// One page of a user's memories that pass every given filter, in a given order.
//
// The order is that of one number a memory and then of its id. A cursor is the number, signed by the direction, and the
// id; the page lies between two of them and is read from its beginning or from its end.
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
//   order          STRING  "created"  created, occurred, strength or fading
//   direction      INTEGER  -1  1: smallest first, -1: largest first
//   after_key      FLOAT  0.0  the cursor before the page; null: from the beginning
//   after_id       STRING  "mem-1"
//   before_key     FLOAT  0.0  the cursor behind the page; null: to the end
//   before_id      STRING  "mem-9"
//   step           INTEGER  1  1: the first rows between the cursors, -1: the last ones, last first
//   half_life_hours  FLOAT  240.0  settings decay.*, for the order by strength; so for the next four
//   stability_gain   FLOAT  0.5
//   stability_power  FLOAT  1.5
//   arousal_gain     FLOAT  0.4
//   time_scale       FLOAT  1.0
//   limit          INTEGER  21  most rows returned
// Returns      0..limit rows
//   memory     MAP  what our values are made of; dates as text, which the driver reads far faster
//   order_key  FLOAT  for the cursor
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
WITH m, $direction * CASE $order
    WHEN 'occurred' THEN toFloat(m.occurred_at.epochMillis)
    WHEN 'fading' THEN toFloat(m.visible_until.epochMillis)
    WHEN 'strength' THEN m.base_strength / (1.0
        + CASE WHEN $at > m.anchor_at THEN duration.inSeconds(m.anchor_at, $at).seconds / 3600.0 * $time_scale ELSE 0.0 END
          * (1.0 - $arousal_gain * m.arousal)
          / ($half_life_hours * (1.0 + $stability_gain * m.spaced_access_count ^ $stability_power)))
    ELSE toFloat(m.created_at.epochMillis) END AS order_key
WHERE ($after_key IS NULL OR order_key > $after_key
       OR (order_key = $after_key AND CASE WHEN $direction > 0 THEN m.id > $after_id ELSE m.id < $after_id END))
  AND ($before_key IS NULL OR order_key < $before_key
       OR (order_key = $before_key AND CASE WHEN $direction > 0 THEN m.id < $before_id ELSE m.id > $before_id END))
WITH m, order_key ORDER BY $step * order_key,
     CASE WHEN $step * $direction > 0 THEN m.id END, CASE WHEN $step * $direction < 0 THEN m.id END DESC
LIMIT $limit
// Under a name of its own each memory is read at once; under one whose properties the plan keeps, each would be read alone.
UNWIND [m] AS one
WITH order_key,
     one {.id, .user_id, .text, .kind, .epistemic_type, .category, .horizon, .bucket, .lane, .general, .source,
          .confirmed, .confidence, .pinned, .base_strength, .spaced_access_count, .access_count, .encoding_factor,
          .activation_decay, .state, .emotions, .arousal, .valence, .speaker, .session_id, .agent_id, .external_id,
          .tags, .metadata, .people, .entities, .content_hash, .dates_by, .domain, .topic_key, .reasoning, .outcome,
          .date_texts, .dates_told_at, .date_first_days, .date_last_days, .past_valid_at, .past_invalid_at,
          .past_invalidated_at, .past_expired_at, .past_restored_at, .occurrences, .session_count, .anchor_at,
          .visible_until, .dream_at, .forgotten_at, .archive_at, .first_access_at, .last_accessed_at, .touched_at,
          .labile_until, .labile_since, .refined_at, .last_suppressed_at, .occurred_at, .valid_at, .invalid_at,
          .invalidated_at, .created_at, .expired_at, .superseded_at, .first_observed_at, .last_reinforced_at,
          .enrich_due_at, .parked_at, .access_stamps} AS p
RETURN p {.*, anchor_at: toString(p.anchor_at), visible_until: toString(p.visible_until),
          dream_at: toString(p.dream_at), forgotten_at: toString(p.forgotten_at), archive_at: toString(p.archive_at),
          first_access_at: toString(p.first_access_at), last_accessed_at: toString(p.last_accessed_at),
          touched_at: toString(p.touched_at), labile_until: toString(p.labile_until),
          labile_since: toString(p.labile_since), refined_at: toString(p.refined_at),
          last_suppressed_at: toString(p.last_suppressed_at), occurred_at: toString(p.occurred_at),
          valid_at: toString(p.valid_at), invalid_at: toString(p.invalid_at),
          invalidated_at: toString(p.invalidated_at), created_at: toString(p.created_at),
          expired_at: toString(p.expired_at), superseded_at: toString(p.superseded_at),
          first_observed_at: toString(p.first_observed_at), last_reinforced_at: toString(p.last_reinforced_at),
          enrich_due_at: toString(p.enrich_due_at), parked_at: toString(p.parked_at),
          access_stamps: [stamp IN p.access_stamps | toString(stamp)]} AS memory, order_key;
