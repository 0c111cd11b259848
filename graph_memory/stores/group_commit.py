"""Group commit: writes that arrive together share one transaction, and a bad one fails alone.

The first write of a group waits a few milliseconds for company; while one group is being written the next one
gathers. Two writes that claim the same key never share a group: the later one then sees what the earlier one wrote.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from graph_memory.errors import ConflictError, GraphMemoryError, StoreError

R = TypeVar("R")
W = TypeVar("W")


@dataclass(slots=True)
class _Waiting(Generic[R, W]):
    row: R
    keys: frozenset[str]
    answer: "asyncio.Future[W]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class GroupCommit(Generic[R, W]):
    """Writes rows in groups through `write`, which takes rows and answers one result each, or raises for all."""

    def __init__(
        self,
        write: Callable[[Sequence[R]], Awaitable[Sequence[W]]],
        *,
        keys: Callable[[R], frozenset[str]],
        gather_seconds: float,
        group_rows: int,
    ) -> None:
        self._write, self._keys = write, keys
        self._gather_seconds, self._group_rows = gather_seconds, group_rows
        self._waiting: deque[_Waiting[R, W]] = deque()
        self._writer: asyncio.Task[None] | None = None

    async def add(self, rows: Sequence[R]) -> list[W | GraphMemoryError]:
        """One answer for each row, in order, after its transaction was committed.

        A caller who is cancelled takes nothing back: its rows are written all the same.
        """
        mine = [_Waiting[R, W](row, self._keys(row)) for row in rows]
        self._waiting.extend(mine)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_groups())
        answers = await asyncio.gather(*(each.answer for each in mine), return_exceptions=True)
        return [_told(answer) for answer in answers]

    async def close(self) -> None:
        """Waits until everything that was asked for is written."""
        if self._writer:
            await self._writer

    async def _write_groups(self) -> None:
        if len(self._waiting) < self._group_rows:
            await asyncio.sleep(self._gather_seconds)
        while self._waiting:
            await self._settle(self._next_group())

    def _next_group(self) -> list[_Waiting[R, W]]:
        group: list[_Waiting[R, W]] = []
        held: deque[_Waiting[R, W]] = deque()
        taken: set[str] = set()
        while self._waiting and len(group) < self._group_rows:
            each = self._waiting.popleft()
            if taken & each.keys:
                held.append(each)
            else:
                group.append(each)
            taken |= each.keys
        self._waiting.extendleft(reversed(held))
        return group

    async def _settle(self, group: list[_Waiting[R, W]]) -> None:
        """Writes a group; one that fails is halved until the bad rows stand alone."""
        try:
            results = await self._write([each.row for each in group])
        except (GraphMemoryError, asyncio.CancelledError) as error:
            if len(group) == 1 or _concerns_all(error):
                for each in group:
                    _tell(each.answer, error)
                return
            middle = len(group) // 2
            await self._settle(group[:middle])
            await self._settle(group[middle:])
        except Exception as error:  # a fault of ours: every caller hears of it, none waits for ever
            for each in group:
                _tell(each.answer, error)
        else:
            for each, result in zip(group, results, strict=True):
                if not each.answer.done():
                    each.answer.set_result(result)


def _concerns_all(error: BaseException) -> bool:
    """Whether the fault lies in the server rather than in a row, so that halving would only repeat it."""
    return not isinstance(error, ConflictError | StoreError) or (isinstance(error, StoreError) and error.is_retryable())


def _tell(answer: "asyncio.Future[W]", error: BaseException) -> None:
    if answer.done():
        return
    if isinstance(error, asyncio.CancelledError):
        answer.cancel()
    else:
        answer.set_exception(error)


def _told(answer: W | BaseException) -> W | GraphMemoryError:
    if isinstance(answer, GraphMemoryError):
        return answer
    if isinstance(answer, BaseException):
        raise answer
    return answer
