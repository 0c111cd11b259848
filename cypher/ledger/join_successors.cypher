// Leads from memories to those that took their place; where they contradict each other, that is said too.
//
// Access   write
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose memories they are
//   rows      LIST<MAP>  [{old_id: "mem-1", new_id: "mem-2", reason: "she moved", contradicts: true}]  pairs
//   at        ZONED DATETIME  datetime("2031-01-02T00:00Z")  now, UTC
//   open_end  ZONED DATETIME  datetime("9999-12-31T00:00Z")  the far future
// Returns      one row for each pair found
//   id  STRING  of the old one
UNWIND $rows AS row
MATCH (old:Memory {id: row.old_id}) WHERE old.user_id = $user_id
MATCH (new:Memory {id: row.new_id}) WHERE new.user_id = $user_id
CREATE (old)-[s:SUPERSEDED_BY {user_id: $user_id}]->(new)
SET s.created_at = $at, s.expired_at = $open_end, s.reason = row.reason, s.source = 'rule', s.weight = 1.0, s.uses = 0
CALL (row, old, new) {
    WITH row, old, new WHERE row.contradicts
    MERGE (new)-[c:CONTRADICTS]->(old)
      ON CREATE SET c.user_id = $user_id, c.created_at = $at, c.reason = row.reason, c.source = 'rule', c.weight = 1.0, c.uses = 0
    SET c.settled = true
}
RETURN old.id AS id;
