"""The errors of graph-memory. One base, few kinds, each saying what the caller can do.

GraphMemoryError
├── InvalidValueError      the caller's value breaks rules; lists all of them
├── NotFoundError          no such thing for this user; a foreign id and an unknown one look the same
├── ConflictError          the value is right but the graph has moved on; read again, then decide
├── LimitExceededError     a stated bound was passed; ask for less
├── LeaseLostError         the job is another worker's by now; stop, it goes on from the graph
├── InferenceError         a model gave no usable answer; ask is_retryable()
│   └── ModelUnavailableError  no model may be asked now: none is set up, or the day's budget is spent
├── StoreError             Neo4j did not do it; ask is_retryable()
│   ├── StoreBusyError     every connection is taken; try again shortly
│   └── StoreMismatchError the graph and this code or its embedder do not fit; the text names the way out
└── ServerError            the local server could not be fetched, started or stopped; the text names the remedy
"""

from collections.abc import Iterable
from dataclasses import dataclass


class GraphMemoryError(Exception):
    """The base of every error that this package raises on purpose."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one field of the caller's input."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


class InvalidValueError(GraphMemoryError):
    """The caller's value breaks rules; `problems` lists every one of them."""

    def __init__(self, what: str, problems: Iterable[Problem]) -> None:
        self.what = what
        self.problems = tuple(problems)
        super().__init__(f"{what}: " + "; ".join(map(str, self.problems)))


class NotFoundError(GraphMemoryError):
    """There is no such thing for this user."""

    def __init__(self, what: str, identifier: str) -> None:
        self.what = what
        self.identifier = identifier
        super().__init__(f"no {what} with id {identifier!r}")


class ConflictError(GraphMemoryError):
    """The graph has moved on: read the present state again, then decide."""


class LimitExceededError(GraphMemoryError):
    """A stated bound was passed: ask for less, or for less at once."""


class LeaseLostError(GraphMemoryError):
    """The job is another worker's by now, or this one was told to stop: write nothing more; the next run goes on."""


class InferenceError(GraphMemoryError):
    """A model gave no usable answer."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        self._retryable = retryable
        super().__init__(message)

    def is_retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return self._retryable


class ModelUnavailableError(InferenceError):
    """No language model may be asked now: none is set up, or the day's budget is spent. The rules answer."""


class StoreError(GraphMemoryError):
    """Neo4j did not do what it was asked."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        self._retryable = retryable
        super().__init__(message)

    def is_retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return self._retryable


class StoreBusyError(StoreError):
    """Every connection is taken: try again shortly."""

    def __init__(self, message: str) -> None:
        super().__init__(message, retryable=True)


class StoreMismatchError(StoreError):
    """The graph does not fit this code or its embedder; the message names the way out."""


class ServerError(GraphMemoryError):
    """The local server could not be fetched, started or stopped; the message names the remedy."""
