"""Timed and background work, run beside a face: enrichment as it falls due, old receipts once an hour."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graph_memory.bootstrap import Services
from graph_memory.errors import GraphMemoryError

_log = logging.getLogger(__name__)
_RECEIPTS_SECONDS = 3_600.0
_RECEIPTS_BATCH = 1_000


@asynccontextmanager
async def background_work(services: Services) -> AsyncIterator[None]:
    """Runs the background work while the block runs."""
    tasks = [asyncio.create_task(_drop_old_receipts(services))]
    if services.settings.enrichment.enabled:
        tasks.append(asyncio.create_task(services.enrich.run_forever()))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _drop_old_receipts(services: Services) -> None:
    while True:
        await asyncio.sleep(_RECEIPTS_SECONDS)
        try:
            while await services.receipts.drop_old(at=services.clock.now(), limit=_RECEIPTS_BATCH):
                pass
        except GraphMemoryError as error:
            _log.warning("old receipts will be dropped later: %s", error)
