// How many memories of all users have dates that follow other settings than the graph's; none is told to a worker whose
// settings are not the graph's.
//
// Access   read
// Scope    system
// Params
//   dates_by  STRING  "0123456789abcdef"  names the settings in use
// Returns      1 row
//   memories  INTEGER
OPTIONAL MATCH (g:Graph {id: 'graph'}) WHERE g.dates_by = $dates_by
RETURN CASE WHEN g IS NULL THEN 0 ELSE
  COUNT { MATCH (m:Memory) WHERE m.dates_by < $dates_by } + COUNT { MATCH (m:Memory) WHERE m.dates_by > $dates_by }
END AS memories;
