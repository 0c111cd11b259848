"""Timed and background work, run beside a face: enrichment as it falls due, the beats of time, old receipts."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from graph_memory.bootstrap import Services
from graph_memory.errors import GraphMemoryError

_log = logging.getLogger(__name__)
_RECEIPTS_SECONDS = 3_600.0
_RECEIPTS_BATCH = 1_000


@asynccontextmanager
async def background_work(services: Services) -> AsyncIterator[None]:
    """Runs the background work while the block runs."""
    tick = services.settings.tick().total_seconds()
    tasks = [
        asyncio.create_task(_prime(services)),
        asyncio.create_task(_every(tick, "state labels", services.beats.lower_states)),
        asyncio.create_task(_every(tick, "stale dates", lambda: _while_any(services.beats.redate))),
        asyncio.create_task(_every(_RECEIPTS_SECONDS, "old receipts", lambda: _while_any(_dropping(services)))),
    ]
    if services.settings.enrichment.enabled:
        tasks.append(asyncio.create_task(services.enrich.run_forever()))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _prime(services: Services) -> None:
    try:
        await services.recall.prime()
    except GraphMemoryError as error:
        _log.warning("the first recall will take longer: %s", error)


async def _every(seconds: float, what: str, work: Callable[[], Awaitable[object]]) -> None:
    """Does the work now and from time to time; what fails is tried again then."""
    while True:
        try:
            await work()
        except GraphMemoryError as error:
            _log.warning("%s will be seen to later: %s", what, error)
        await asyncio.sleep(seconds)


async def _while_any(work: Callable[[], Awaitable[int]]) -> None:
    while await work():
        pass


def _dropping(services: Services) -> Callable[[], Awaitable[int]]:
    return lambda: services.receipts.drop_old(at=services.clock.now(), limit=_RECEIPTS_BATCH)
