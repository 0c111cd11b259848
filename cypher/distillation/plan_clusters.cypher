// Writes down which episodes are to be distilled together, and puts off those that are like nothing else.
//
// A plan outlives a worker: the next one finishes it before it makes another. A cluster of which a member was planned,
// distilled or erased meanwhile is left out. The user is locked first, so that two plans come one after the other.
//
// Access   write
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   clusters  LIST<MAP>  [{key: "cluster-1", ids: ["mem-1"]}]  by the hash of their members
//   noise     LIST<STRING>  ["mem-2"]  to be put off
//   until     ZONED DATETIME  datetime("2031-01-08T00:00Z")  until when
// Returns      1 row
//   planned  INTEGER  clusters
MATCH (u:User {user_id: $user_id})
SET u.lock = true
REMOVE u.lock
WITH u
CALL () {
    UNWIND $noise AS id
    MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id AND m.consolidated_at IS NULL AND m.distil_key IS NULL
    SET m.distil_after = $until
}
CALL () {
    UNWIND $clusters AS cluster
    CALL (cluster) {
        UNWIND cluster.ids AS id
        MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id AND m.consolidated_at IS NULL AND m.distil_key IS NULL
        RETURN collect(m) AS members
    }
    WITH cluster, members WHERE size(members) = size(cluster.ids)
    FOREACH (m IN members | SET m.distil_key = cluster.key)
    RETURN count(cluster) AS planned
}
RETURN planned;
