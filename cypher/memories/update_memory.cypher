// Changes where a memory belongs and when it holds, with one audit row for each field; never its text.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose memory it is
//   id          STRING  "mem-1"  the memory
//   properties  MAP  {bucket: "work"}  what changes, as stored
//   changes     LIST<MAP>  [{id: "chg-1", action: "update", field: "bucket", at: datetime("2031-01-01T00:00Z")}]  audit rows
// Returns      0..1 rows
//   id  STRING
MATCH (m:Memory {id: $id}) WHERE m.user_id = $user_id
SET m += $properties
CALL (m) {
    UNWIND $changes AS change
    CREATE (m)-[:CHANGED {user_id: $user_id}]->(c:Change {user_id: $user_id, target_id: $id})
    SET c += change
}
RETURN m.id AS id;
