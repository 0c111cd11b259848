// The current memories of the same kind that are near each of some memories, with their cosines.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose memories they are
//   ids       LIST<STRING>  ["mem-1"]  the memories
//   kinds     LIST<STRING>  ["semantic", "episodic"]  of both
//   horizons  LIST<STRING>  ["long", "medium"]  of those that are near
//   least     FLOAT  0.85  least cosine
//   at        ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   pool      INTEGER  50  candidates fetched from the index beside each
// Returns      0..pool rows a memory, the nearest first
//   id       STRING
//   near_id  STRING
//   cosine   FLOAT  -1..1
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id AND m.embedding IS NOT NULL AND m.kind IN $kinds
CALL (m) {
    MATCH (n:Memory)
      SEARCH n IN (
        VECTOR INDEX memory_embedding_vector FOR m.embedding
        WHERE n.user_id = $user_id AND n.kind IN $kinds
          AND n.expired_at > $at AND n.invalid_at > $at AND n.superseded_at > $at
        LIMIT $pool
      ) SCORE AS score
    WITH m, n, 2.0 * score - 1.0 AS cosine
    WHERE n.user_id = $user_id AND n.id <> m.id AND n.kind = m.kind AND n.horizon IN $horizons AND cosine >= $least - 1e-9
    RETURN n.id AS near_id, cosine
}
RETURN m.id AS id, near_id, cosine ORDER BY id, cosine DESC, near_id;
