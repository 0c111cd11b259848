// Says what one person is to another; the same label between the same two is one relation.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose people they are
//   from_id  STRING  "per-1"  of whom it is said
//   to_id    STRING  "per-2"  who is it
//   label    STRING  "sister"  what the second is to the first
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   change   MAP  {id: "chg-1", action: "link", at: datetime("2031-01-01T00:00Z")}  the audit row
// Returns      0..1 rows; none when one of the two is not this user's
//   made  BOOLEAN  false when it was said before
MATCH (a:Person {id: $from_id}) WHERE a.user_id = $user_id
MATCH (b:Person {id: $to_id}) WHERE b.user_id = $user_id
OPTIONAL MATCH (a)-[held:RELATED_TO {label: $label}]->(b)
WITH a, b, held IS NULL AS made LIMIT 1
CALL (a, b, made) {
    WITH a, b, made WHERE made
    CREATE (a)-[:RELATED_TO {user_id: $user_id, label: $label, created_at: $at}]->(b)
    CREATE (c:Change {user_id: $user_id, target_id: $from_id})
    SET c += $change, a.edited_by_hand = true, b.edited_by_hand = true
}
RETURN made;
