"""The known names of each user, held ready so that a recall need not ask for them."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from graph_memory.domain.names import NameBook
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import GraphMemoryError
from graph_memory.ports import NameStore


@dataclass(slots=True)
class _Held:
    book: NameBook
    read_at: float  # of the event loop's clock


class NameBooks:
    """One name book a user: read at first need, then refreshed behind the answers."""

    def __init__(self, names: NameStore, *, refresh_seconds: float, most_users: int) -> None:
        self._names, self._refresh_seconds, self._most_users = names, refresh_seconds, most_users
        self._held: OrderedDict[UserId, _Held] = OrderedDict()
        self._refreshing: dict[UserId, asyncio.Task[NameBook]] = {}

    async def of(self, user_id: UserId) -> NameBook:
        """The user's known names, at most a few seconds old."""
        held = self._held.get(user_id)
        if held is None:
            return await self.refresh(user_id)
        self._held.move_to_end(user_id)
        if asyncio.get_running_loop().time() - held.read_at > self._refresh_seconds:
            self._refresh_behind(user_id)
        return held.book

    async def refresh(self, user_id: UserId) -> NameBook:
        """The user's known names as they are now."""
        read_at = asyncio.get_running_loop().time()
        book = NameBook(await self._names.known_names(user_id))
        self._held[user_id] = _Held(book, read_at)
        self._held.move_to_end(user_id)
        while len(self._held) > self._most_users:
            self._held.popitem(last=False)
        return book

    def drop(self, user_id: UserId) -> None:
        """Forgets what was held, after names came or went."""
        self._held.pop(user_id, None)

    async def close(self) -> None:
        """Waits for refreshes under way."""
        await asyncio.gather(*self._refreshing.values(), return_exceptions=True)

    def _refresh_behind(self, user_id: UserId) -> None:
        if user_id in self._refreshing:
            return
        task = asyncio.create_task(self.refresh(user_id))
        self._refreshing[user_id] = task
        task.add_done_callback(lambda done: self._refreshed(user_id, done))

    def _refreshed(self, user_id: UserId, done: "asyncio.Task[NameBook]") -> None:
        self._refreshing.pop(user_id, None)
        if not done.cancelled() and isinstance(done.exception(), GraphMemoryError):
            return  # the old names serve on; the next recall tries again
