// Every member of the supersession chain that a memory belongs to, with what each was superseded by.
//
// The head is sought from the member forward, then all its ancestors backward; both walks prune, so the time grows with
// the number of members and not with that of paths.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose memories they are
//   id        STRING  "mem-1"  any member
//   known_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  links that were not there, or were closed by then, do not count
// Returns      one row for each member
//   memory         MAP  every property but the vectors
//   successor_id   STRING  null for the head
//   superseded_at  ZONED DATETIME
//   reason         STRING
MATCH (member:Memory {id: $id}) WHERE member.user_id = $user_id
CALL (member) {
    MATCH (member) (()-[f:SUPERSEDED_BY WHERE f.created_at <= $known_at AND $known_at < f.expired_at]->()){0,} (head:Memory {user_id: $user_id})
    WHERE NOT EXISTS { (head)-[g:SUPERSEDED_BY]->() WHERE g.created_at <= $known_at AND $known_at < g.expired_at }
    RETURN DISTINCT head
}
CALL (head) {
    MATCH (m:Memory {user_id: $user_id}) (()-[b:SUPERSEDED_BY WHERE b.created_at <= $known_at AND $known_at < b.expired_at]->()){0,} (head)
    RETURN DISTINCT m
}
OPTIONAL MATCH (m)-[s:SUPERSEDED_BY]->(next:Memory {user_id: $user_id})
WHERE s.created_at <= $known_at AND $known_at < s.expired_at
RETURN m {.*, embedding: null, context_embedding: null} AS memory, next.id AS successor_id,
       s.created_at AS superseded_at, s.reason AS reason;
