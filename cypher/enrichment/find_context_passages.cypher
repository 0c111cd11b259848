// The passages that context vectors are made of: the previous turn and this one, with speakers.
//
// Access   read
// Scope    system
// Params
//   ids  LIST<STRING>  ["mem-1"]  memories
// Returns      one row for each memory that has a neighbour in its session
//   id       STRING
//   passage  STRING
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.context_text IS NOT NULL
OPTIONAL MATCH (p:Memory)-[:NEXT]->(m) WHERE p.user_id = m.user_id
RETURN id, coalesce(coalesce(p.speaker + ': ', '') + p.text + '\n', '') + coalesce(m.speaker + ': ', '') + m.text AS passage;
