// Writes how a schema stands and which statements it abstracts, those and no others.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose it is
//   id          STRING  "mem-1"  the schema
//   key         STRING  "cluster-1"  of the cluster
//   properties  MAP  {schema_status: "active", induced_at: datetime("2031-01-01T00:00Z"), inductions: 2, same_members: 1}  how it stands
//   rows        LIST<MAP>  [{id: "mem-2", cosine: 0.9}]  the statements, each with its cosine to the centroid
//   origin      STRING  "rule"  rule or model
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows
//   id  STRING
MATCH (s:Memory {id: $id}) WHERE s.user_id = $user_id
SET s += $properties, s.cluster_key = $key
WITH s
CALL (s) {
    MATCH (s)-[r:ABSTRACTS]->(m {user_id: $user_id}) WHERE NOT m.id IN [row IN $rows | row.id]
    DELETE r
}
CALL (s) {
    UNWIND $rows AS row
    MATCH (m:Memory {id: row.id}) WHERE m.user_id = $user_id
    MERGE (s)-[r:ABSTRACTS {user_id: $user_id}]->(m)
      ON CREATE SET r.weight = CASE WHEN row.cosine > 0.0 THEN row.cosine ELSE 0.0 END, r.cosine = row.cosine,
                    r.source = $origin, r.uses = 0, r.created_at = $at
}
RETURN s.id AS id;
