"""Options that several commands share, and how their words are read."""

from datetime import datetime
from typing import Annotated

import typer

from graph_memory.errors import InvalidValueError, Problem

User = Annotated[str, typer.Option("--user", "-u", metavar="ID", help="Whose memory it is.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Identifier = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory.")]
Reason = Annotated[str | None, typer.Option("--reason", help="Why, for the record.")]
First = Annotated[int | None, typer.Option("--first", "-n", metavar="N", help="How many.")]
After = Annotated[str | None, typer.Option(metavar="CURSOR", help="Go on behind this place.")]
AsOf = Annotated[str | None, typer.Option(metavar="DATE", help="As it stood in the world then.")]
KnownAt = Annotated[str | None, typer.Option(metavar="DATE", help="As it was known then.")]


def instant(name: str, written: str | None) -> datetime | None:
    """A date as ISO 8601 writes it; without an offset it is read in the user's zone. Raises InvalidValueError."""
    if written is None:
        return None
    try:
        return datetime.fromisoformat(written)
    except ValueError:
        problem = Problem(name, f"is {written!r}; write a date like 2031-05-08 or 2031-05-08T13:56:00+02:00")
        raise InvalidValueError("date", [problem]) from None


def some(values: list[str] | None) -> tuple[str, ...] | None:
    """The values of an option that may be repeated; None when it was not given."""
    return tuple(values) if values else None
