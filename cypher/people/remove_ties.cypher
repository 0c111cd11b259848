// Takes relationships from a person.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose person it is
//   id       STRING  "per-1"  the person
//   rows     LIST<MAP>  [{type: "REFERS_TO", outgoing: false, other_id: "mem-1", label: null}]  label: of a relation between people
// Returns      1 row
//   removed  INTEGER
MATCH (p:Person {id: $id}) WHERE p.user_id = $user_id
UNWIND $rows AS row
MATCH (other:Memory|Person|Entity|Episode|Turn|Note|Evidence|Communication {id: row.other_id})
WHERE other.user_id = $user_id
MATCH (p)-[r]-(other)
WHERE type(r) = row.type AND (startNode(r) = p) = row.outgoing AND (row.label IS NULL OR r.label = row.label)
DELETE r
RETURN count(r) AS removed;
