// A uniform draw, without replacement, of memories that lie long untouched; hidden ones too, pinned ones never.
//
// The draw orders by a scrambling of the random end of each id, so that one seed gives one order and every memory is as
// likely as any other. Ids are 48 random bits at the end; the factor is odd and the modulus a power of two, so no two collide.
//
// Access   read
// Scope    user
// Params
//   user_id        STRING  "user-1"  whose memories they are
//   at             ZONED DATETIME  datetime("2031-01-01T00:00Z")  now
//   touched_until  ZONED DATETIME  datetime("2031-01-01T00:00Z")  last touched then or earlier
//   buckets        LIST<STRING>  ["default"]  any of these; null: all; so for the next two
//   lanes          LIST<STRING>  ["facts_prefs"]
//   kinds          LIST<STRING>  ["episodic"]
//   seed           INTEGER  7  of the draw
//   k              INTEGER  5  most rows
// Returns      0..k rows, in the order of the draw
//   memory  MAP  what our values are made of
MATCH (m:Memory {user_id: $user_id})
WHERE NOT m.pinned AND m.touched_at <= $touched_until AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
  AND ($buckets IS NULL OR m.bucket IN $buckets) AND ($lanes IS NULL OR m.lane IN $lanes) AND ($kinds IS NULL OR m.kind IN $kinds)
WITH m, toInteger('0x' + right(m.id, 10)) AS number
WITH m, (number * 2654435761 + $seed * 40503) % 1048583 AS first, (number * 69069 + $seed * 1013904223) % 16777213 AS second
ORDER BY first, second, m.id LIMIT $k
RETURN m {.*, embedding: null, context_embedding: null} AS memory
ORDER BY first, second, m.id;
