"""Finds, fetches and runs the local Neo4j server. It knows nothing of memories."""
