// Which labile statements new turns speak of: pairs of a turn just enriched and a statement whose window is open.
//
// Access   read
// Scope    system
// Params
//   ids     LIST<STRING>  ["mem-1"]  the turns
//   at      ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   cosine  FLOAT  0.6  least between the two
//   limit   INTEGER  100  most pairs
// Returns      0..limit rows, the nearest first
//   user_id    STRING
//   turn_id    STRING
//   labile_id  STRING
//   cosine     FLOAT
UNWIND $ids AS id
MATCH (turn:Memory {id: id}) WHERE turn.kind = 'episodic' AND turn.embedding IS NOT NULL
MATCH (labile:Memory {user_id: turn.user_id})
WHERE labile.labile_until > $at AND labile.kind = 'semantic' AND labile.embedding IS NOT NULL
  AND labile.bucket IN [turn.bucket, 'general'] AND turn.created_at >= labile.labile_since
WITH turn, labile, 2.0 * vector.similarity.cosine(turn.embedding, labile.embedding) - 1.0 AS cosine
WHERE cosine >= $cosine
RETURN turn.user_id AS user_id, turn.id AS turn_id, labile.id AS labile_id, cosine
ORDER BY cosine DESC, turn_id LIMIT $limit;
