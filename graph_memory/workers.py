"""Timed and background work: enrichment as it falls due, and the beats of sleep.

It runs beside a face (`serve`, the Python client) or in a process of its own (`graph-memory work`). Any number of
processes may do it at once: leases see to it that each piece is done once.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from graph_memory.bootstrap import Services
from graph_memory.domain.sleep import Beat
from graph_memory.errors import GraphMemoryError

_log = logging.getLogger(__name__)
_EPISODES_SECONDS = 900.0  # so that a chat that was left is summed up within the hour


@asynccontextmanager
async def background_work(services: Services) -> AsyncIterator[None]:
    """Runs the background work while the block runs; the beats only where the settings ask for them."""
    works = [_prime(services), _timed_dates(services)]
    if services.settings.sleep.enabled:
        works += _beats(services)
    async with _running(services, works):
        yield


@asynccontextmanager
async def all_work(services: Services) -> AsyncIterator[None]:
    """Runs all the work that waits for nobody, whatever the settings say of faces."""
    async with _running(services, [_timed_dates(services), *_beats(services)]):
        yield


@asynccontextmanager
async def _running(services: Services, works: list[Awaitable[None]]) -> AsyncIterator[None]:
    tasks = [asyncio.ensure_future(work) for work in works]
    if services.settings.enrichment.enabled:
        tasks.append(asyncio.ensure_future(services.enrich.run_forever()))
    if services.settings.curation.extract_enabled:
        tasks.append(asyncio.ensure_future(services.extract.run_forever()))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _beats(services: Services) -> list[Awaitable[None]]:
    """Each beat as the work of a loop."""
    sleep, settings = services.sleep, services.settings.sleep

    def all_due(beat: Beat) -> Callable[[], Awaitable[object]]:
        return lambda: _while_any(lambda: sleep.run_due(beat))

    return [
        _every(services.settings.links.discover_seconds, "links", lambda: sleep.run_due(Beat.LINK)),
        _every(settings.poll_seconds, "cycles of sleep", all_due(Beat.CYCLE), first_after=settings.first_run_seconds),
        _every(settings.poll_seconds, "housekeeping", all_due(Beat.HOUSEKEEPING)),
        _every(services.settings.tick().total_seconds(), "state labels", lambda: sleep.run_due(Beat.STATES)),
        _every(_EPISODES_SECONDS, "chats left open", services.settle_episodes.for_everybody),
    ]


def _timed_dates(services: Services) -> Awaitable[None]:
    """Dates that follow former settings are solved anew whatever else sleeps: answers read them."""
    return _every(services.settings.tick().total_seconds(), "stale dates", lambda: _while_any(services.beats.redate))


async def _prime(services: Services) -> None:
    try:
        await services.remember.prime()
        await services.recall.prime()
    except GraphMemoryError as error:
        _log.warning("the first answers will take longer: %s", error)


async def _every(seconds: float, what: str, work: Callable[[], Awaitable[object]], *, first_after: float = 0.0) -> None:
    """Does the work after a while and from time to time; what fails is tried again then."""
    await asyncio.sleep(first_after)
    while True:
        try:
            await work()
        except GraphMemoryError as error:
            _log.warning("%s will be seen to later: %s", what, error)
        await asyncio.sleep(seconds)


async def _while_any(work: Callable[[], Awaitable[int]]) -> None:
    while await work():
        pass
