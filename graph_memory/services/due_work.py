"""Work that falls due: done until nothing is left, then again when somebody says so, or after a while."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from graph_memory.errors import GraphMemoryError

_log = logging.getLogger(__name__)


class DueWork:
    """Does whatever of one kind falls due, until cancelled."""

    def __init__(self, what: str, work: Callable[[], Awaitable[int]], *, poll_seconds: float) -> None:
        """`work` does one batch and tells how much it took up, 0 when nothing is due; `what` names it in the log."""
        self._what, self._work, self._poll_seconds = what, work, poll_seconds
        self._due: asyncio.Event | None = None  # belongs to the loop in which the work runs

    def nudge(self) -> None:
        """Says that something has fallen due."""
        if self._due:
            self._due.set()

    async def run_forever(self) -> None:
        """Works until cancelled; a fault of the store is logged and tried again."""
        self._due = asyncio.Event()
        try:
            while True:
                self._due.clear()
                try:
                    while await self._work():
                        pass
                except GraphMemoryError as error:
                    _log.warning("%s will be tried again: %s", self._what, error)
                try:
                    async with asyncio.timeout(self._poll_seconds):
                        await self._due.wait()
                except TimeoutError:
                    pass
        finally:
            self._due = None
