// The links that these memories have among memories, of the families that are walked.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   ids      LIST<STRING>  ["mem-1", "mem-2"]  memories
// Returns      one row for each link
//   link  MAP  type, source, target and properties as stored, but that its date is text
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
MATCH (m)-[r:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-(n) WHERE r.user_id = $user_id
WITH DISTINCT r, n WHERE n:Memory
WITH DISTINCT r
RETURN r {.weight, .confidence, .uses, .reason, .source, .discovered, type: type(r), source_id: startNode(r).id,
          target_id: endNode(r).id, created_at: toString(r.created_at)} AS link;
