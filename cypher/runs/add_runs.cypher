// Stores runs that have ended already, each for a user that there is.
//
// Access   write
// Scope    system
// Params
//   rows  LIST<MAP>  [{user_id: "user-1", run: {id: "run-1", status: "done"}}]  the runs
// Returns      1 row
//   runs  INTEGER
UNWIND $rows AS row
MATCH (u:User {user_id: row.user_id})
CREATE (r:Run {user_id: u.user_id})
SET r += row.run
RETURN count(r) AS runs;
