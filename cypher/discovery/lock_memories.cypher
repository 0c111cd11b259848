// Memories that links are about to join, locked in the order of their ids until the transaction ends.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose memories they are
//   claim       STRING  "claim-1"  the claim that the links were found under
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   ids         LIST<STRING>  ["mem-1", "mem-2"]  in their order, each once
//   hub_degree  INTEGER  500  a memory with more links gets no further ones
// Returns      one row for each memory found
//   id       STRING
//   claimed  BOOLEAN  by this claim
//   open     BOOLEAN  whether it may get links
//   ordered_by_hand  BOOLEAN  the user says by hand what came before what: dates alone do not keep rings away then
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
SET m.lock = true
REMOVE m.lock
WITH m
OPTIONAL MATCH (u:User {user_id: $user_id})
RETURN m.id AS id, coalesce(m.link_claim = $claim, false) AS claimed,
       m.expired_at > $at AND COUNT { (m)-[:LEADS_TO|BECAUSE_OF|ENABLES|PREVENTS|PRECEDES|SUCCEEDS|CONCURRENT_WITH|NEXT|REFERS_TO|MENTIONED_IN|SHARES_EMOTION|CONTRASTS_EMOTION|EVOLVES_FROM|SIMILAR_TO]-() } <= $hub_degree AS open,
       coalesce(u.ordered_by_hand, false) AS ordered_by_hand;
