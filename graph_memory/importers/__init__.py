"""Foreign formats read as values: drafts of memories, and questions about them. Nothing here writes."""
