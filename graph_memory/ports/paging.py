"""Pages of lists: rows and their positions."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Position:
    """Where a row stands in a list: its sort key, then its id."""

    key: float
    id: str


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """One row of a page, with its position."""

    value: T
    position: Position
