// The migrations that this graph has been through, in order.
//
// Access   read
// Scope    system
// Params
// Returns      0..n rows
//   version   INTEGER
//   name      STRING
//   checksum  STRING
MATCH (g:Migration)
RETURN g.version AS version, g.name AS name, g.checksum AS checksum ORDER BY version;
