// Ends a planned cluster that is not distilled: its members are done with, or free to be planned anew.
//
// Access   write
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   key      STRING  "cluster-1"  of the cluster
//   known    BOOLEAN  true  what they say is known, or is never to be known again; false: they are free
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   until    ZONED DATETIME  datetime("2031-01-08T00:00Z")  until when those that are free are put off
// Returns      1 row
//   members  INTEGER
MATCH (m:Episodic) WHERE m.user_id = $user_id AND m.distil_key = $key
SET m.consolidated_at = CASE WHEN $known THEN $at ELSE m.consolidated_at END,
    m.distil_after = CASE WHEN $known THEN null ELSE $until END,
    m.distil_key = null
RETURN count(m) AS members;
