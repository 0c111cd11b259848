// Writes how a run stands, as long as it runs, and when its beat falls due.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whom it works for
//   id          STRING  "run-1"  the run
//   properties  MAP  {progress: 0.5}  what is new of it
//   due         MAP  {cycle_due_at: datetime("2031-01-01T06:00Z")}  when the beat falls due next; empty: as it was
// Returns      0..1 rows
//   id  STRING
MATCH (r:Run {id: $id}) WHERE r.user_id = $user_id AND r.status = 'running'
SET r += $properties, r.revision = r.revision + 1
CALL () {
    MATCH (u:User {user_id: $user_id})
    SET u += $due
}
RETURN r.id AS id;
