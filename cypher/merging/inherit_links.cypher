// Leads from a merged memory to the sources of those that went into it, and from the schemas over them to it.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose memories they are
//   id          STRING  "mem-1"  the one that stays
//   ids         LIST<STRING>  ["mem-2"]  those that went into it
//   properties  MAP  {tags: ["tea"]}  what else of it changes, as stored
// Returns      one row for each that went into it
//   id  STRING
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
SET m += $properties
WITH m
UNWIND $ids AS other_id
MATCH (other:Memory {id: other_id}) WHERE other.user_id = $user_id
CALL (m, other) {
    MATCH (other)-[old:DISTILLED_FROM]->(source:Memory {user_id: $user_id})
    MERGE (m)-[new:DISTILLED_FROM {user_id: $user_id}]->(source)
      ON CREATE SET new += properties(old)
}
CALL (m, other) {
    MATCH (other)-[old:MENTIONED_IN]->(source:Episode|Turn {user_id: $user_id})
    MERGE (m)-[new:MENTIONED_IN {user_id: $user_id}]->(source)
      ON CREATE SET new += properties(old)
}
CALL (m, other) {
    MATCH (schema:Schema {user_id: $user_id})-[old:ABSTRACTS]->(other)
    MERGE (schema)-[new:ABSTRACTS {user_id: $user_id}]->(m)
      ON CREATE SET new += properties(old)
}
RETURN other.id AS id;
