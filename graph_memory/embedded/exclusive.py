"""One at a time: whoever starts, stops, dumps or loads a server holds the lock of its home."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from filelock import FileLock, Timeout

from graph_memory.embedded.disk import writing_to
from graph_memory.embedded.home import ServerHome

_POLL_SECONDS = 0.1


@asynccontextmanager
async def exclusive(home: ServerHome, notify: Callable[[str], None]) -> AsyncIterator[None]:
    """Holds the lock, waiting for it without blocking the loop. The system frees the lock of a process that dies."""
    lock = FileLock(home.lock, thread_local=False)
    with writing_to(home.run):
        await _acquire(lock, notify)
    try:
        yield
    finally:
        lock.release()


async def _acquire(lock: FileLock, notify: Callable[[str], None]) -> None:
    said = False
    while True:
        try:
            lock.acquire(blocking=False)
            return
        except Timeout:
            if not said:
                notify("Waiting: another process is starting, stopping or dumping this server.")
                said = True
        await asyncio.sleep(_POLL_SECONDS)
