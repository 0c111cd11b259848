// A uniform draw, without replacement, of memories that lie long untouched; hidden ones too, pinned ones never.
//
// The draw orders by a cube in a prime field of the random end of each id, moved by the seed: one seed gives one order,
// and another seed another.
//
// Access   read
// Scope    user
// Params
//   user_id           STRING  "user-1"  whose memories they are
//   touched_until     ZONED DATETIME  datetime("2031-01-01T00:00Z")  last touched then or earlier
//   within            MAP  {visible_after: datetime("2031-01-01T00:00Z"), expired_after: datetime("2031-01-01T00:00Z"), invalid_after: datetime("2031-01-01T00:00Z"), superseded_after: datetime("2031-01-01T00:00Z"), touched_after: datetime("0001-01-01T00:00Z"), archived_after: datetime("0001-01-01T00:00Z"), created_until: datetime("9999-12-31T00:00Z"), lanes: ["long_term"], kinds: ["episodic"], occurred_from: datetime("0001-01-01T00:00Z"), occurred_until: datetime("9999-12-31T00:00Z")}  what the indexes filter by; touched: used, or pinned; archived: not in state archive since
//   buckets           LIST<STRING>  ["default"]  any of these; null: all
//   filters           MAP  {buckets: null, categories: ["other"], tags: null, session_id: null, agent_id: null, name_keys: null, schema_id: null, known_at: null, as_of: null}  as recall checks them; null: nothing
//   seed              INTEGER  7  of the draw
//   k                 INTEGER  5  most rows
// Returns      0..k rows, in the order of the draw
//   memory  MAP  what our values are made of
MATCH (m:Memory {user_id: $user_id})
WHERE NOT m.pinned AND m.touched_at <= $touched_until AND m.visible_until > $within.visible_after
  AND m.expired_at > $within.expired_after AND m.invalid_at > $within.invalid_after
  AND m.superseded_at > $within.superseded_after AND m.created_at <= $within.created_until
  AND m.search_tier_at > $within.touched_after AND m.archive_at > $within.archived_after
  AND ($buckets IS NULL OR m.bucket IN $buckets) AND m.lane IN $within.lanes AND m.kind IN $within.kinds
  AND m.occurred_at >= $within.occurred_from AND m.occurred_at < $within.occurred_until
  AND ($filters IS NULL OR (
          ($filters.buckets IS NULL OR m.bucket IN $filters.buckets)
      AND ($filters.categories IS NULL OR m.category IN $filters.categories)
      AND ($filters.session_id IS NULL OR m.session_id = $filters.session_id)
      AND ($filters.agent_id IS NULL OR m.agent_id = $filters.agent_id)
      AND ($filters.tags IS NULL OR any(tag IN m.tags WHERE tag IN $filters.tags))
      AND ($filters.schema_id IS NULL OR EXISTS { MATCH (:Schema {id: $filters.schema_id, user_id: $user_id})-[:ABSTRACTS]->(m) })
      AND ($filters.name_keys IS NULL OR EXISTS {
            MATCH (m)-[:REFERS_TO]->(named:Person|Entity {user_id: $user_id})
            WHERE named.name_key IN $filters.name_keys })
      AND ($filters.known_at IS NULL OR any(known IN [
            reduce(dates = [m.valid_at, m.invalid_at, m.invalidated_at, m.expired_at],
                   i IN reverse(range(0, size(coalesce(m.past_restored_at, [])) - 1)) |
                   CASE WHEN $filters.known_at < m.past_restored_at[i]
                        THEN [m.past_valid_at[i], m.past_invalid_at[i], m.past_invalidated_at[i], m.past_expired_at[i]]
                        ELSE dates END)]
            WHERE known[0] <= $filters.as_of AND $filters.known_at < known[3]
              AND NOT (known[2] <= $filters.known_at AND known[1] <= $filters.as_of)))))
WITH m, toInteger('0x' + right(m.id, 10)) AS number
WITH m, number, (number % 1048583 + abs($seed) % 1048583 * 7919) % 1048583 AS moved
WITH m, number, moved * moved % 1048583 * ((moved + 12345) % 1048583) % 1048583 AS draw
ORDER BY draw, number, m.id LIMIT $k
RETURN m {.*, embedding: null, context_embedding: null} AS memory
ORDER BY draw, number, m.id;
