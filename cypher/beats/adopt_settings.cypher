// Makes the settings in use those that the graph's stored dates shall follow.
//
// Access   write
// Scope    system
// Params
//   dates_by  STRING  "0123456789abcdef"  names the settings in use
// Returns      1 row
//   dates_by  STRING
MERGE (g:Graph {id: 'graph'})
SET g.dates_by = $dates_by
RETURN g.dates_by AS dates_by;
