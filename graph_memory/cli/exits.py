"""The one table from our errors to exit codes, and the group of commands that applies it.

0 done · 1 our own fault · 2 bad input · 3 no such thing · 4 the graph has moved on · 5 unavailable · 130 interrupted
"""

from typing import Any

import typer
from typer.core import TyperGroup

from graph_memory.cli.console import complain
from graph_memory.errors import (
    ConflictError,
    GraphMemoryError,
    InferenceError,
    InvalidValueError,
    LeaseLostError,
    LimitExceededError,
    NotFoundError,
    ServerError,
    StoreError,
)

INTERNAL = 1
INTERRUPTED = 130
EXIT_CODES: dict[type[GraphMemoryError], int] = {
    InvalidValueError: 2,
    LimitExceededError: 2,
    NotFoundError: 3,
    ConflictError: 4,
    LeaseLostError: 4,
    StoreError: 5,
    ServerError: 5,
    InferenceError: 5,
}


def exit_code(error: GraphMemoryError) -> int:
    """The exit code of an error: that of its kind, or of the kind that it is a case of."""
    return next((EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES), INTERNAL)


class Commands(TyperGroup):
    """Commands whose errors end in one line and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except GraphMemoryError as error:
            complain(str(error))
            raise typer.Exit(exit_code(error)) from error
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(INTERRUPTED) from None
