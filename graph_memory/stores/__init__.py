"""The ports on Neo4j. A store names a query file, passes values and maps rows; it decides nothing."""
