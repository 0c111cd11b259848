// The memory that was drawn from a cluster before, whatever became of it.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   key      STRING  "cluster-1"  of the cluster
// Returns      0..1 rows
//   id  STRING
MATCH (s:Semantic) WHERE s.user_id = $user_id AND s.cluster_key = $key
RETURN s.id AS id
ORDER BY s.id LIMIT 1;
