"""Pages of lists: opaque cursors bound to their user and list, and flags that follow from the data."""

import base64
import binascii
import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InvalidValueError, Problem
from graph_memory.ports import Position, Row
from graph_memory.settings import PageSettings

T = TypeVar("T")
# after, before, backward, limit -> rows in the order of reading
Read = Callable[[Position | None, Position | None, bool, int], Awaitable[list[Row[T]]]]
# after, limit -> rows
ReadOn = Callable[[Position | None, int], Awaitable[list[Row[T]]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """Which slice of a list is wanted, in the words of Relay."""

    first: int | None = None
    after: str | None = None
    last: int | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """A slice of a list, in the list's order."""

    items: tuple[T, ...]
    cursors: tuple[str, ...]
    has_next: bool
    has_previous: bool

    @property
    def next_cursor(self) -> str | None:
        """What to go on with, or None where the list ends."""
        return self.cursors[-1] if self.has_next and self.cursors else None


class Paging:
    """Reads pages of one list of one user."""

    def __init__(self, user_id: UserId, listing: str, settings: PageSettings) -> None:
        self._seal = hashlib.sha256(f"{user_id}\x1f{listing}".encode()).hexdigest()[:12]
        self._settings = settings

    async def page(self, request: PageRequest, read: Read[T]) -> Page[T]:
        """The page asked for. Raises InvalidValueError for bounds and cursors that are none."""
        after, before, backward, size = self._checked(request)
        rows = await read(after, before, backward, size + 1) if size else []
        beyond, rows = len(rows) > size, rows[:size]
        if backward:
            rows.reverse()
        if not rows:
            something = bool(await read(None, None, False, 1))
            return Page(
                items=(),
                cursors=(),
                has_next=something and (before is not None or (after is None and size == 0)),
                has_previous=something and after is not None,
            )
        behind_end, before_start = (False, beyond) if backward else (beyond, False)
        if before is not None and not behind_end:
            behind_end = bool(await read(rows[-1].position, None, False, 1))
        if after is not None and not before_start:
            before_start = bool(await read(None, rows[0].position, True, 1))
        return Page(
            items=tuple(row.value for row in rows),
            cursors=tuple(self.cursor(row.position) for row in rows),
            has_next=behind_end,
            has_previous=before_start,
        )

    async def forward_page(self, first: int | None, after: str | None, read: ReadOn[T]) -> Page[T]:
        """A page of a list that is only read forward; a cursor's own row stands before the page."""
        start, _, _, size = self._checked(PageRequest(first=first, after=after))
        rows = await read(start, size + 1)
        shown = rows[:size]
        return Page(
            items=tuple(row.value for row in shown),
            cursors=tuple(self.cursor(row.position) for row in shown),
            has_next=len(rows) > size,
            has_previous=start is not None,
        )

    def cursor(self, position: Position) -> str:
        """The opaque name of a position."""
        written = json.dumps([self._seal, position.key, position.id])
        return base64.urlsafe_b64encode(written.encode()).decode().rstrip("=")

    def position(self, field: str, cursor: str) -> Position:
        """The position that a cursor names. Raises InvalidValueError for a foreign or a made-up one."""
        try:
            padded = cursor + "=" * (-len(cursor) % 4)
            seal, key, identifier = json.loads(base64.b64decode(padded.encode(), altchars=b"-_", validate=True))
            position = Position(float(key), str(identifier))
        except (ValueError, TypeError, binascii.Error, UnicodeError):
            raise InvalidValueError("page", [Problem(field, "is not a cursor of this list")]) from None
        if seal != self._seal:
            raise InvalidValueError("page", [Problem(field, "is not a cursor of this list")])
        return position

    def _checked(self, request: PageRequest) -> tuple[Position | None, Position | None, bool, int]:
        problems = []
        if request.first is not None and request.last is not None:
            problems.append(Problem("last", "cannot be asked for together with first"))
        for name in ("first", "last"):
            size = getattr(request, name)
            if size is not None and not 0 <= size <= self._settings.most:
                problems.append(Problem(name, f"is {size}; it must lie in 0..{self._settings.most}"))
        if problems:
            raise InvalidValueError("page", problems)
        after = self.position("after", request.after) if request.after is not None else None
        before = self.position("before", request.before) if request.before is not None else None
        backward = request.last is not None
        size = request.last if backward else request.first
        return after, before, backward, self._settings.first if size is None else size
