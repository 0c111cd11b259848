// Enters a migration that was carried out into the ledger.
//
// Access   write
// Scope    system
// Params
//   version   INTEGER  1  its number
//   name      STRING  "0001_initial"  its file
//   checksum  STRING  "sha256"  of its text
//   at        ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
// Returns      1 row
//   version  INTEGER
MERGE (g:Migration {version: $version})
  ON CREATE SET g.name = $name, g.checksum = $checksum, g.applied_at = $at
RETURN g.version AS version;
