// Stores a run that holds its lease; what else still ran for the user and beat is dead and told as failed.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whom it works for
//   beat     STRING  "cycle"
//   run      MAP  {id: "run-1", status: "running", progress: 0.0}  its properties
//   note     STRING  "its worker was lost"  what is added to the notes of a dead one
//   due      MAP  {cycle_due_at: datetime("2031-01-01T00:10Z")}  when the beat falls due unless this run sets it anew
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      0..1 rows
//   id    STRING
//   dead  INTEGER  how many were told as failed
MATCH (u:User {user_id: $user_id})
SET u += $due
CALL () {
    MATCH (r:Run {user_id: $user_id}) WHERE r.status = 'running' AND r.beat = $beat  // by the index on both
    SET r.status = 'failed', r.finished_at = CASE WHEN r.alive_until < $at THEN r.alive_until ELSE $at END,
        r.notes = coalesce(r.notes, []) + $note, r.revision = r.revision + 1
    RETURN count(r) AS dead
}
CREATE (new:Run {user_id: $user_id})
SET new += $run
RETURN new.id AS id, dead;
