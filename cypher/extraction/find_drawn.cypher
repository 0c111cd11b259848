// What was drawn from an episode by extraction, and whether another source says it in the same words.
//
// Statements that a hand has edited, that sleep distilled, or that the user stated are not among them.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   id       STRING  "mem-1"  the episode
// Returns      0..n rows
//   id      STRING  what was drawn
//   stands  BOOLEAN  another source holds its text
MATCH (s:Memory {id: $id}) WHERE s.user_id = $user_id
MATCH (d:Memory)-[:DISTILLED_FROM]->(s) WHERE d.user_id = $user_id
  AND d.source IN ['extracted', 'consolidated'] AND d.cluster_key IS NULL AND NOT d.pinned
RETURN d.id AS id,
       EXISTS { MATCH (d)-[:DISTILLED_FROM]->(o:Memory {user_id: $user_id})
                WHERE o <> s AND toLower(o.text) CONTAINS toLower(d.text) } AS stands;
