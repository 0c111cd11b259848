// Notes with which text memories were compared with their neighbours, for one purpose.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   purpose  STRING  "merge"  merge or audit
//   rows     LIST<MAP>  [{id: "mem-1", text_hash: "hash-1"}]  memories
// Returns      one row for each memory found
//   id  STRING
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.user_id = $user_id
SET m.compared = [each IN coalesce(m.compared, []) WHERE NOT each STARTS WITH $purpose + ' ']
                 + [$purpose + ' ' + row.text_hash]
RETURN m.id AS id;
