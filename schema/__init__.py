"""The shape of the graph: its names, its node classes, its constraints and indexes, and the way there."""
