// Buckets in which episodes wait to be distilled, by name.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   at        ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   embedder  STRING  "hashing/1"  vectors of another cannot be compared
// Returns      any number of rows
//   bucket  STRING
MATCH (m:Episodic) WHERE m.user_id = $user_id AND m.bucket >= '' AND m.distil_after <= $at
  AND m.distil_key IS NULL AND m.consolidated_at IS NULL AND m.embedder = $embedder
  AND m.invalid_at > $at AND m.expired_at > $at AND m.superseded_at > $at
RETURN DISTINCT m.bucket AS bucket
ORDER BY bucket;
