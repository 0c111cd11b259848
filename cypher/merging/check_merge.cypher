// What stands against a merge: the sources that the memories are distilled from together, and an erasure of the text.
//
// Access   read
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose memories they are
//   ids        LIST<STRING>  ["mem-1", "mem-2"]  the memories that would be one
//   text_hash  STRING  "hash-9"  of the text that it would have
// Returns      1 row
//   sources  INTEGER
//   erased   BOOLEAN  that text was erased by the user
CALL () {
    UNWIND $ids AS id
    MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
    MATCH (m)-[:DISTILLED_FROM]->(s:Memory {user_id: $user_id})
    RETURN count(DISTINCT s) AS sources
}
RETURN sources, EXISTS { MATCH (:Tombstone {user_id: $user_id, text_hash: $text_hash}) } AS erased;
