// People by their ids, with evidence, exchanges and relations.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   ids      LIST<STRING>  ["per-1"]  at most some hundreds
// Returns      one row for each person found
//   person          MAP  every property
//   evidence        LIST<MAP>  every property
//   communications  LIST<MAP>  every property
//   relations       LIST<MAP>  other_id, other_name, label, outgoing
UNWIND $ids AS id
MATCH (p:Person {id: id}) WHERE p.user_id = $user_id
RETURN p {.*} AS person,
       COLLECT { MATCH (p)-[:HAS_EVIDENCE]->(e:Evidence {user_id: $user_id}) RETURN e {.*} } AS evidence,
       COLLECT { MATCH (p)-[:HAS_COMMUNICATION]->(c:Communication {user_id: $user_id}) RETURN c {.*} } AS communications,
       COLLECT {
           MATCH (p)-[r:RELATED_TO]-(o:Person {user_id: $user_id})
           RETURN {other_id: o.id, other_name: o.name, label: r.label, outgoing: startNode(r) = p}
       } AS relations;
