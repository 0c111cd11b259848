// Takes a memory's words, whole, out of evidence, exchanges and notes on people; the memory is locked.
//
// Access   write
// Scope    user
// Params
//   user_id    STRING  "user-1"  whose memory it is
//   memory_id  STRING  "mem-1"  the memory, which is about to be erased
// Returns      0..1 rows
//   id  STRING  of the memory
MATCH (m:Memory {id: $memory_id}) WHERE m.user_id = $user_id
SET m.lock = true  // evidence drawn from it comes before, and goes with it, or finds it gone
REMOVE m.lock
WITH m, toLower(m.text) AS words
CALL (words) {
    MATCH (e:Evidence {user_id: $user_id}) WHERE toLower(e.context) CONTAINS words
    SET e.context = ''
}
CALL (words) {
    MATCH (c:Communication {user_id: $user_id}) WHERE toLower(c.summary) CONTAINS words
    SET c.summary = ''
}
CALL (words) {
    MATCH (p:Person {user_id: $user_id}) WHERE any(note IN p.notes WHERE toLower(note) CONTAINS words)
    SET p.notes = [note IN p.notes WHERE NOT toLower(note) CONTAINS words]
}
RETURN m.id AS id;
