"""Where words go: answers to standard output, everything else (notes, progress, errors) to standard error."""

import json
import sys

from rich.console import Console

from graph_memory.domain.memory import Json

answers = Console(highlight=False)
notes = Console(stderr=True, highlight=False)


def note(message: str) -> None:
    """A sentence for the person at the terminal, never part of the answer."""
    notes.print(message, style="dim", markup=False, soft_wrap=True)


def complain(message: str) -> None:
    """One line that says what went wrong."""
    notes.print(f"[bold red]Error:[/] {_escaped(message)}", soft_wrap=True)


def print_json(document: Json) -> None:
    """The one JSON document of a command with --json."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def _escaped(message: str) -> str:
    return " ".join(message.split()).replace("[", "\\[")
