"""The terminal. Each command reads its words, calls one service, and shows the answer or prints it as JSON."""

from graph_memory.cli.app import main

__all__ = ["main"]
