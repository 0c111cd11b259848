// Whether one node reaches another along links of one direction of cause or time; such a link back would close a cycle.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose nodes they are
//   from_id   STRING  "mem-2"  where the way starts
//   to_id     STRING  "mem-1"  where it would end
//   forward   STRING  "LEADS_TO"  the type walked along its direction
//   backward  STRING  "BECAUSE_OF"  its inverse, walked against its direction
// Returns      1 row
//   reached  BOOLEAN
OPTIONAL MATCH (a:Memory|Person|Entity|Episode|Turn|Note {id: $from_id}) WHERE a.user_id = $user_id
OPTIONAL MATCH (b:Memory|Person|Entity|Episode|Turn|Note {id: $to_id}) WHERE b.user_id = $user_id
RETURN a IS NOT NULL AND b IS NOT NULL AND EXISTS {
    MATCH SHORTEST 1 (a) (
        (x)-[r:LEADS_TO|BECAUSE_OF|PRECEDES|SUCCEEDS]-(y)
        WHERE (type(r) = $forward AND startNode(r) = x) OR (type(r) = $backward AND endNode(r) = x)
    )+ (b)
} AS reached;
