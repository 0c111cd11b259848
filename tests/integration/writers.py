"""Thirty-two writers at once; run as a program, they tell each acknowledged memory as soon as it is."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import GraphMemoryError
from graph_memory.settings import Neo4jSettings, Settings
from graph_memory.testing import HashingEmbedder

WRITERS, EACH = 32, 15


def keys() -> Iterator[str]:
    """The idempotency key of every write."""
    return (f"w{writer}-{number}" for writer in range(WRITERS) for number in range(EACH))


def draft(key: str) -> MemoryDraft:
    """What is written under a key; the writers share eight sessions."""
    writer, number = key.removeprefix("w").split("-")
    return MemoryDraft(
        text=f"Writer {writer} saw number {number}.",
        idempotency_key=key,
        session_id=f"session-{int(writer) % 8}",
        speaker="Ana",
    )


async def write(services: Services, user: UserId, told: Callable[[str, str], None]) -> None:
    """Every writer writes its own keys in order, until it is done or the store fails it."""

    async def writer(number: int) -> None:
        for each in range(EACH):
            key = f"w{number}-{each}"
            try:
                written = await services.remember(user, draft(key))
            except GraphMemoryError:
                return
            assert written.memory is not None
            told(key, written.memory.id)

    await asyncio.gather(*(writer(number) for number in range(WRITERS)))


async def _main(uri: str, user: str) -> None:
    address = Neo4jSettings(uri=uri, password=os.environ["NEO4J_PASSWORD"])
    settings = replace(Settings.from_environment({}), neo4j=address)
    async with open_services(settings, embedder=HashingEmbedder()) as services:
        await write(services, UserId(user), lambda key, memory_id: print(key, memory_id, flush=True))


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:3]))
