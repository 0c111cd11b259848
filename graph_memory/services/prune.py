"""Prune: observations that gathered little evidence and none of late are believed no more (constants.md 2.7).

Nothing is removed: they are listed, and a restore brings them back.
"""

from datetime import datetime, timedelta

from graph_memory.domain.change import Action, Change, expiry_change
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import Ids, ObservationStore, Pulse
from graph_memory.settings import Settings

_PAGE = 100  # expired in one transaction


class Prune:
    """Prunes observations."""

    name = "prune"

    def __init__(self, *, observations: ObservationStore, ids: Ids, settings: Settings) -> None:
        self._observations, self._ids, self._settings = observations, ids, settings

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        sleep = self._settings.sleep
        before = at - timedelta(days=sleep.medium_max_days / self._settings.decay.time_scale)
        keep = sleep.medium_keep_occurrences
        stale = await self._observations.stale(
            user_id, before=before, below_occurrences=keep, at=at, limit=sleep.prune_most
        )
        if dry_run:
            plan = tuple(Planned(action="prune", memory_ids=(each,), text=text) for each, text in stale.items())
            return StepReport(counts={Count.PRUNED: len(plan)} if plan else {}, plan=plan)
        report, ids = StepReport(), list(stale)
        for start in range(0, len(ids), _PAGE):
            await pulse(report, done=start, total=len(ids))
            changes = [self._change(each, at) for each in ids[start : start + _PAGE]]
            pruned = await self._observations.expire(user_id, changes, before=before, below_occurrences=keep, at=at)
            report = report.plus(StepReport(counts={Count.PRUNED: pruned}))
        return report

    def _change(self, memory_id: MemoryId, at: datetime) -> Change:
        return expiry_change(self._ids.new(), memory_id, FAR_FUTURE, Action.EXPIRE, at, reason="not observed again")
