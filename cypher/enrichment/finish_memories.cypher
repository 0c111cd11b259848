// Writes what enrichment found: the persons, entities and memories that memories name, and their context vectors.
//
// A memory that bears a heading is linked to from those that name it, whichever came first; of two that bear the same
// heading the younger names the older. A memory whose claim was taken over meanwhile, or whose context changed, is left
// to the other claim. Hints, and ends of links without a label, since a plan made on an empty graph
// would else start from all that the user has.
//
// Access   write
// Scope    system
// Params
//   claim  STRING  "claim-1"  the claim that this finishes
//   at     ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   nodes  LIST<MAP>  [{user_id: "user-1", label: "Person", id: "per-1", name: "Ana", name_key: "ana", last_mentioned_at: datetime("2031-01-01T00:00Z"), memory_ids: ["mem-1"]}]  sorted by user and key
//   rows   LIST<MAP>  [{user_id: "user-1", id: "mem-1", context_embedding: vector([0.1, 0.2], 2, FLOAT32), persons: [{name_key: "ana", weight: 0.8, reason: "speaker"}], entities: [{name_key: "desk", weight: 0.8, reason: "given"}], memories: [{id: "mem-2", weight: 1.0, reason: "[[desk.md]]"}], references: ["[[desk.md]]"]}]  memories
//   heading_weight  FLOAT  1.0  of a link to the one memory that bears a named heading
//   most_bearers    INTEGER  5  a heading that more memories bear links to none
//   most_naming     INTEGER  200  a heading that more memories name is left alone
// Returns      one row for each memory finished
//   id  STRING
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) USING INDEX SEEK m:Memory(id) WHERE m.user_id = row.user_id
SET m.lock = true  // before the check: an erasure or another claim is seen, and nothing is made for what is gone
REMOVE m.lock
WITH row, m WHERE m.enrich_claim = $claim
WITH collect({row: row, m: m}) AS pairs, collect(m.id) AS standing
CALL (standing) {
    UNWIND $nodes AS node
    WITH node WHERE node.label = 'Person' AND any(id IN node.memory_ids WHERE id IN standing)
    MERGE (n:Person {user_id: node.user_id, name_key: node.name_key})
      ON CREATE SET n.id = node.id, n.name = node.name, n.aliases = [node.name], n.alias_keys = [], n.created_at = $at,
                    n.last_mentioned_at = node.last_mentioned_at
    SET n.aliases = CASE WHEN node.name IN n.aliases THEN n.aliases ELSE n.aliases + node.name END,
        n.last_mentioned_at = CASE WHEN node.last_mentioned_at > n.last_mentioned_at
                                   THEN node.last_mentioned_at ELSE n.last_mentioned_at END
}
CALL (standing) {
    UNWIND $nodes AS node
    WITH node WHERE node.label = 'Entity' AND any(id IN node.memory_ids WHERE id IN standing)
    MERGE (n:Entity {user_id: node.user_id, name_key: node.name_key})
      ON CREATE SET n.id = node.id, n.name = node.name, n.aliases = [node.name], n.alias_keys = [], n.created_at = $at,
                    n.last_mentioned_at = node.last_mentioned_at
    SET n.aliases = CASE WHEN node.name IN n.aliases THEN n.aliases ELSE n.aliases + node.name END,
        n.last_mentioned_at = CASE WHEN node.last_mentioned_at > n.last_mentioned_at
                                   THEN node.last_mentioned_at ELSE n.last_mentioned_at END
}
UNWIND pairs AS pair
WITH pair.row AS row, pair.m AS m
CALL (row, m) {
    UNWIND row.persons AS named
    MATCH (n:Person {user_id: row.user_id, name_key: named.name_key}) USING INDEX SEEK n:Person(user_id, name_key)
    MERGE (m)-[r:REFERS_TO {user_id: row.user_id}]->(n)
      ON CREATE SET r.weight = named.weight, r.source = 'rule', r.uses = 0, r.created_at = $at, r.reason = named.reason
}
CALL (row, m) {
    UNWIND row.entities AS named
    MATCH (n:Entity {user_id: row.user_id, name_key: named.name_key}) USING INDEX SEEK n:Entity(user_id, name_key)
    MERGE (m)-[r:REFERS_TO {user_id: row.user_id}]->(n)
      ON CREATE SET r.weight = named.weight, r.source = 'rule', r.uses = 0, r.created_at = $at, r.reason = named.reason
}
CALL (row, m) {
    MATCH (m)-[r:REFERS_TO {user_id: row.user_id}]->()  // to memories, which alone are called so
    WHERE r.source = 'rule' AND r.reason STARTS WITH '[[' AND NOT r.reason IN row.references
    DELETE r  // an earlier text held that name
}
CALL (row, m) {
    MATCH (m)-[r:REFERS_TO {user_id: row.user_id}]->(n)
    WHERE r.source = 'rule' AND r.reason = 'names its heading'
      AND NOT EXISTS { MATCH (m)-[:REFERS_TO {user_id: row.user_id}]->(e) WHERE 'Entity' IN labels(e) AND e.name_key = n.heading_key }
    DELETE r  // one of the two texts was another
}
CALL (row, m) {
    MATCH (n)-[r:REFERS_TO {user_id: row.user_id}]->(m)
    WHERE r.source = 'rule' AND r.reason = 'names its heading'
      AND n.enrich_due_at IS NULL  // else what it names is not settled, and it looks for itself
      AND NOT EXISTS { MATCH (n)-[:REFERS_TO {user_id: row.user_id}]->(e) WHERE 'Entity' IN labels(e) AND e.name_key = m.heading_key }
    DELETE r
}
CALL (row, m) {
    UNWIND row.memories AS named
    MATCH (n:Memory {id: named.id}) USING INDEX SEEK n:Memory(id)
    WHERE n.user_id = row.user_id AND n.expired_at > $at AND n <> m
      AND NOT EXISTS { (n)-[:MENTIONED_IN]->(m) }  // the same link, made by hand from the other end
    MERGE (m)-[r:REFERS_TO {user_id: row.user_id}]->(n)
      ON CREATE SET r.weight = named.weight, r.source = 'rule', r.uses = 0, r.created_at = $at, r.reason = named.reason
}
CALL (row, m) {
    MATCH (m)-[:REFERS_TO {user_id: row.user_id}]->(e)
    WITH row, m, e WHERE e:Entity
    CALL (row, e) {
        MATCH (n:Memory {user_id: row.user_id, heading_key: e.name_key})
          USING INDEX SEEK n:Memory(user_id, heading_key)
        WHERE n.expired_at > $at
        RETURN n LIMIT $most_bearers + 1
    }
    WITH row, m, e, collect(n) AS bearers WHERE size(bearers) <= $most_bearers
    UNWIND bearers AS n
    WITH row, m, e, n, bearers WHERE m.heading_key IS NULL OR m.heading_key <> e.name_key OR n.id < m.id
    MERGE (m)-[r:REFERS_TO {user_id: row.user_id}]->(n)
      ON CREATE SET r.weight = $heading_weight / sqrt(size(bearers)), r.source = 'rule', r.uses = 0, r.created_at = $at,
                    r.reason = 'names its heading'
}
CALL (row, m) {  // and what named it before
    WITH row, m WHERE m.heading_key IS NOT NULL
    CALL (row, m) {
        MATCH (b:Memory {user_id: row.user_id, heading_key: m.heading_key})
          USING INDEX SEEK b:Memory(user_id, heading_key)
        WHERE b.expired_at > $at
        RETURN b LIMIT $most_bearers + 1
    }
    WITH row, m, count(b) AS bearers WHERE bearers <= $most_bearers
    MATCH (e:Entity {user_id: row.user_id, name_key: m.heading_key})
      USING INDEX SEEK e:Entity(user_id, name_key)
    WHERE COUNT { (e)<-[:REFERS_TO]-() } <= $most_naming
    MATCH (n)-[:REFERS_TO {user_id: row.user_id}]->(e)
    WHERE n <> m AND n.expired_at > $at AND (n.heading_key IS NULL OR n.heading_key <> m.heading_key)
    MERGE (n)-[r:REFERS_TO {user_id: row.user_id}]->(m)
      ON CREATE SET r.weight = $heading_weight / sqrt(bearers), r.source = 'rule', r.uses = 0, r.created_at = $at,
                    r.reason = 'names its heading'
}
CALL (row, m) {
    MATCH (m)-[:REFERS_TO {user_id: row.user_id}]->(n)
    WITH m, n WHERE n:Person|Entity
    WITH m, collect(DISTINCT n.id) AS now_named
    // kept for an erasure, which must find those too that an earlier text named
    SET m.named_ids = coalesce(m.named_ids, []) + [id IN now_named WHERE NOT id IN coalesce(m.named_ids, [])]
}
SET m.enriched_at = $at, m.parked_at = m.link_parked_at, m.enrich_due_at = null, m.enrich_claim = null, m.enrich_problem = null
SET m += CASE WHEN row.context_embedding IS NULL THEN {} ELSE {context_embedding: toFloatList(row.context_embedding)} END
RETURN m.id AS id;
