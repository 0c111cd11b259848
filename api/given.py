"""What a caller left out of an input: absent and null mean the same, unless a default says otherwise."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import strawberry

from graph_memory.errors import InvalidValueError, Problem

T = TypeVar("T")


def given(value: T | None) -> T | None:
    """The value, or None when it was left out."""
    return None if value is strawberry.UNSET else value


def given_list(value: Sequence[T] | None) -> tuple[T, ...] | None:
    """The values, or None when the list was left out."""
    return None if value is strawberry.UNSET or value is None else tuple(value)


def raise_problems(what: str, problems: Iterable[Problem]) -> None:
    """Raises InvalidValueError when there are any."""
    if listed := list(problems):
        raise InvalidValueError(what, listed)
