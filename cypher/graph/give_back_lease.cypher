// Gives back a lease, if the one who gives it back still holds it.
//
// Access   write
// Scope    system
// Params
//   id      STRING  "migrate"  the job
//   holder  STRING  "worker-1"  who gives it back
// Returns      0..1 rows
//   id  STRING
MATCH (l:Lease {id: $id}) WHERE l.holder = $holder
DELETE l
RETURN $id AS id;
