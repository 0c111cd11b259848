// Writes what use changed of links that this transaction has locked.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose links they are
//   rows     LIST<MAP>  [{type: "LEADS_TO", source_id: "mem-1", target_id: "mem-2", properties: {weight: 0.7}}]  links
// Returns      one row for each link found
//   weight  FLOAT
UNWIND $rows AS row
MATCH (a:Memory {id: row.source_id}) WHERE a.user_id = $user_id
MATCH (b:Memory {id: row.target_id}) WHERE b.user_id = $user_id
MATCH (a)-[link]->(b) WHERE type(link) = row.type
SET link += row.properties
RETURN link.weight AS weight;
