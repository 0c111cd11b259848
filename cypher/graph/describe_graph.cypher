// Which embedder the graph's vectors come from; writes it for a graph that has none yet.
//
// Access   write
// Scope    system
// Params
//   embedder    STRING  "all-MiniLM-L6-v2-int8"  the embedder in use
//   dimensions  INTEGER  384  its width
// Returns      1 row
//   embedder    STRING  as stored
//   dimensions  INTEGER  as stored
MERGE (g:Graph {id: 'graph'})
  ON CREATE SET g.embedder = $embedder, g.dimensions = $dimensions
RETURN g.embedder AS embedder, g.dimensions AS dimensions;
