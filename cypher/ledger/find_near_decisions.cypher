// Earlier decisions of a domain that are near a vector, the nearest first.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose decisions they are
//   vector      VECTOR  vector([x IN range(1, 384) | 0.05], 384, FLOAT32)  unit length
//   domain_key  STRING  "work"  folded
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   least       FLOAT  0.7  least cosine
//   pool        INTEGER  100  candidates fetched from the index
//   limit       INTEGER  5  most rows returned
// Returns      0..limit rows
//   memory  MAP  every property but the vectors
MATCH (m:Memory)
  SEARCH m IN (
    VECTOR INDEX memory_embedding_vector FOR $vector
    WHERE m.user_id = $user_id AND m.kind = 'decision' AND m.expired_at > $at
    LIMIT $pool
  ) SCORE AS score
WITH m, 2.0 * score - 1.0 AS cosine WHERE m.domain_key = $domain_key AND cosine >= $least
ORDER BY cosine DESC, m.id DESC LIMIT $limit
RETURN m {.*, embedding: null, context_embedding: null} AS memory;
