"""One user's sleep, step by step; run as a program, it kills itself before a statement of its own choice."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.sleep import StepReport
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import EnrichmentSettings, Neo4jSettings, Settings
from graph_memory.stores import connection
from graph_memory.testing import FixedClock, HashingEmbedder


async def still_alive(so_far: StepReport, *, done: int, total: int) -> None:
    """A pulse that nobody listens to."""


async def sleep(services: Services, user: UserId, *, at: datetime, dry_run: bool = False) -> StepReport:
    """The heart of the cycle: distil, fade, induce."""
    distilled = await services.distil(user, at=at, dry_run=dry_run, pulse=still_alive)
    return distilled.plus(await services.induce_schemas(user, at=at, dry_run=dry_run, pulse=still_alive))


async def cycle(services: Services, user: UserId, *, at: datetime) -> StepReport:
    """Every step of the cycle that works on memories, in its order."""
    report = StepReport()
    for step in (
        services.promote,
        services.merge_facts,
        services.distil,
        services.induce_schemas,
        services.reflect,
        services.audit_contradictions,
    ):
        report = report.plus(await step(user, at=at, dry_run=False, pulse=still_alive))
    return report


@asynccontextmanager
async def sleeper(settings: Settings, at: datetime) -> AsyncIterator[Services]:
    """The product with a clock that stands at an instant, and nothing going on behind the test's back."""
    quiet = replace(settings, enrichment=EnrichmentSettings(enabled=False))
    async with open_services(quiet, embedder=HashingEmbedder(), clock=FixedClock(at)) as services:
        yield services


class Fuse:
    """Counts the statements that the product sends, and kills the process before one of them."""

    def __init__(self, fatal: int) -> None:
        self.sent, self._fatal = 0, fatal

    def lay(self) -> None:
        """From now on every statement counts."""
        for owner in (connection.Transaction, connection.Connection):
            owner.run = self._counting(owner.run)  # type: ignore[method-assign]

    def _counting(self, run: Any) -> Any:
        async def counted(inner: Any, name: str, /, **params: object) -> Any:
            self.sent += 1
            if self.sent == self._fatal:
                os.kill(os.getpid(), signal.SIGKILL)
            return await run(inner, name, **params)

        return counted


async def _main(uri: str, user: str, at: str, fatal: int) -> None:
    address = Neo4jSettings(uri=uri, password=os.environ["NEO4J_PASSWORD"])
    settings, instant = replace(Settings.from_environment({}), neo4j=address), datetime.fromisoformat(at)
    async with sleeper(settings, instant) as services:
        fuse = Fuse(fatal)
        fuse.lay()
        await cycle(services, UserId(user), at=instant)
        print(fuse.sent, flush=True)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
