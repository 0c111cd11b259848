"""The steps of the beat of housekeeping that keep the bookkeeping small and tell what the graph holds."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import cast

from graph_memory.domain.memory import Json
from graph_memory.domain.sleep import Beat, Planned, StepReport
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Pulse, ReceiptStore, RunStore
from graph_memory.services.inspect import Inspect
from graph_memory.settings import SleepSettings

_BATCH = 1_000


class OldReceipts:
    """Drops receipts past their date."""

    name = "receipts"

    def __init__(self, receipts: ReceiptStore) -> None:
        self._receipts = receipts

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        if dry_run:
            return StepReport(plan=(Planned(action="drop receipts past their date"),))
        return await dropped("receipts", lambda: self._receipts.drop_old(user_id, at=at, limit=_BATCH), pulse)


class OldRuns:
    """Drops reports of runs that nobody will look at any more; those of the frequent beats sooner."""

    name = "runs"

    def __init__(self, runs: RunStore, settings: SleepSettings) -> None:
        self._runs, self._settings = runs, settings

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        kept = (
            ((Beat.LINK, Beat.STATES), self._settings.frequent_run_keep_days),
            ((Beat.CYCLE, Beat.HOUSEKEEPING), self._settings.run_keep_days),
        )
        if dry_run:
            return StepReport(plan=(Planned(action="drop old reports of runs"),))

        async def drop() -> int:
            return sum(
                [
                    await self._runs.drop_old(user_id, beats, before=at - timedelta(days=days), limit=_BATCH)
                    for beats, days in kept
                ]
            )

        return await dropped("reports of runs", drop, pulse)


class Statistics:
    """Takes down what the graph holds, so that the reports of housekeeping are its history."""

    name = "statistics"

    def __init__(self, inspect: Inspect) -> None:
        self._inspect = inspect

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        stats = asdict(await self._inspect.stats(user_id))
        return StepReport(statistics={name: cast(Json, held) for name, held in stats.items()})


async def dropped(what: str, drop: Callable[[], Awaitable[int]], pulse: Pulse) -> StepReport:
    """Drops batch after batch until nothing is left."""
    total = 0
    while True:
        report = StepReport(notes=(f"{total} {what} dropped",) if total else ())
        await pulse(report, done=0, total=1)
        batch = await drop()
        if not batch:
            return report
        total += batch
