// Links between memories as they are, locked until the transaction ends, so that what is computed is not overtaken.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose links they are
//   rows     LIST<MAP>  [{type: "LEADS_TO", source_id: "mem-1", target_id: "mem-2"}]  in one order for all, each once
// Returns      one row for each link found
//   link  MAP  type, source, target and properties as stored
UNWIND $rows AS row
MATCH (a:Memory {id: row.source_id}) WHERE a.user_id = $user_id
MATCH (b:Memory {id: row.target_id}) WHERE b.user_id = $user_id
MATCH (a)-[link]->(b) WHERE type(link) = row.type
SET link.lock = true
REMOVE link.lock
RETURN link {.*, type: type(link), source_id: a.id, target_id: b.id} AS link;
