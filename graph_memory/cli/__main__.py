"""`python -m graph_memory.cli`, where the console script is not installed."""

from graph_memory.cli.app import main

main()
