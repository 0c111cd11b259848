// Takes or renews a lease; the answer says who holds it now.
//
// Access   write
// Scope    system
// Params
//   id      STRING  "migrate"  the job
//   holder  STRING  "worker-1"  who asks
//   at      ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   until   ZONED DATETIME  datetime("2031-01-01T00:10Z")  when it ends unless renewed
// Returns      1 row
//   holder  STRING
MERGE (l:Lease {id: $id})
  ON CREATE SET l.holder = $holder, l.until = $until
SET l.lock = true
REMOVE l.lock
WITH l
CALL (l) {
    WITH l WHERE l.holder = $holder OR l.until <= $at
    SET l.holder = $holder, l.until = $until
}
RETURN l.holder AS holder;
