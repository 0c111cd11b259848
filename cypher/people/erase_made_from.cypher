// Erases the evidence and exchanges made from a memory, and blanks those that quote it; the people are locked.
//
// Their numbers are computed anew from what is left, in the same transaction.
//
// Access   write
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose memory it is
//   memory_id  STRING  "mem-1"  the memory, which is about to be erased
// Returns      one row for each person concerned
//   id              STRING  the person
//   evidence        LIST<STRING>  pieces that are gone
//   communications  LIST<STRING>  exchanges that are gone
MATCH (m:Memory {id: $memory_id}) WHERE m.user_id = $user_id
SET m.lock = true
REMOVE m.lock
WITH m
CALL (m) {
    MATCH (quoting:Evidence {user_id: $user_id}) WHERE toLower(quoting.context) CONTAINS toLower(m.text)
    SET quoting.context = ''
}
CALL (m) {
    MATCH (quoting:Communication {user_id: $user_id}) WHERE toLower(quoting.summary) CONTAINS toLower(m.text)
    SET quoting.summary = ''
}
MATCH (m)<-[:DRAWN_FROM]-(made:Evidence|Communication {user_id: $user_id})
MATCH (p:Person {user_id: $user_id})-[:HAS_EVIDENCE|HAS_COMMUNICATION]->(made)
WITH p, made ORDER BY p.id
SET p.lock = true
REMOVE p.lock
WITH p.id AS id, made, made.id AS made_id, made:Evidence AS is_evidence
DETACH DELETE made
WITH id, is_evidence, collect(made_id) AS ids
RETURN id, reduce(all = [], each IN collect(CASE WHEN is_evidence THEN ids ELSE [] END) | all + each) AS evidence,
       reduce(all = [], each IN collect(CASE WHEN is_evidence THEN [] ELSE ids END) | all + each) AS communications
ORDER BY id;
