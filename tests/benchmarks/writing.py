"""How fast memories are written, their vectors given."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from graph_memory.bootstrap import open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Embedder
from graph_memory.services.remember import Remember
from graph_memory.settings import Settings, WriteSettings

_ONE_EACH = WriteSettings(gather_ms=0.0, group_rows=1)


@dataclass(frozen=True, slots=True)
class Writer:
    """Somebody who writes memories, one after the other."""

    remember: Remember
    user_id: UserId
    drafts: Sequence[MemoryDraft]

    async def write(self) -> None:
        for draft in self.drafts:
            await self.remember(self.user_id, draft)


@asynccontextmanager
async def ungrouped(settings: Settings, embedder: Embedder, count: int) -> AsyncIterator[list[Remember]]:
    """As many doors to the same graph, each writing one memory a transaction: none waits for another."""
    async with AsyncExitStack() as stack:
        own = replace(settings, writes=_ONE_EACH)
        opened = [await stack.enter_async_context(open_services(own, embedder=embedder)) for _ in range(count)]
        yield [services.remember for services in opened]


async def writes_per_second(writers: Sequence[Writer]) -> float:
    """Memories a second in all, while all write at once."""
    start = time.perf_counter()
    await asyncio.gather(*(writer.write() for writer in writers))
    return sum(len(writer.drafts) for writer in writers) / (time.perf_counter() - start)


async def rows_per_second(remember: Remember, user_id: UserId, drafts: Sequence[MemoryDraft]) -> float:
    """Memories a second in one call for all of them."""
    start = time.perf_counter()
    await remember.many(user_id, drafts)
    return len(drafts) / (time.perf_counter() - start)
