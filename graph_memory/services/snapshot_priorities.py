"""The last step of the cycle: what matters to a user now, and whether that has changed (domain/drift.py)."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from graph_memory.domain.decay import StrengthCurve
from graph_memory.domain.drift import (
    Drift,
    DriftRules,
    PrioritySnapshot,
    TopicMentions,
    compared,
    priorities,
    topics_of,
)
from graph_memory.domain.sleep import Planned, StepReport
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Ids, Mention, PriorityStore, Pulse
from graph_memory.services.housekeeping import dropped
from graph_memory.services.inspect import is_askable
from graph_memory.services.paging import Page, Paging
from graph_memory.settings import PageSettings, SleepSettings

_BATCH = 1_000


class SnapshotPriorities:
    """Takes a snapshot, one a day at most; an unmentioned month leaves none, since it says nothing."""

    name = "snapshot"

    def __init__(
        self,
        *,
        priorities: PriorityStore,
        curve: StrengthCurve,
        rules: DriftRules,
        ids: Ids,
        settings: SleepSettings,
    ) -> None:
        self._priorities, self._curve, self._rules = priorities, curve, rules
        self._ids, self._settings = ids, settings

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        since = at - timedelta(hours=self._settings.snapshot_every_hours)
        latest = await self._priorities.latest(user_id, at=at)
        if latest is not None and latest.at > since:
            return StepReport()
        snapshot = await self._taken(user_id, at)
        if snapshot is None:
            return StepReport()
        if dry_run:
            return StepReport(plan=(_planned(snapshot),))
        await pulse(StepReport(), done=0, total=1)
        if not await self._priorities.add(snapshot, after=since):
            return StepReport()
        return StepReport(notes=() if snapshot.drift is Drift.STABLE else (f"the priorities show a {snapshot.drift}",))

    async def _taken(self, user_id: UserId, at: datetime) -> PrioritySnapshot | None:
        month_ago = at - timedelta(days=self._settings.snapshot_window_days)
        mentions = await self._priorities.mentions(
            user_id, since=month_ago, at=at, limit=self._settings.snapshot_mentions
        )
        weights = priorities(_by_topic(mentions, self._curve, at), rules=self._rules)
        if not weights:
            return None
        snapshot = PrioritySnapshot(id=self._ids.new(), user_id=user_id, at=at, weights=weights)
        old = await self._priorities.latest(user_id, at=month_ago)
        if old is None:
            return snapshot
        decisions = await self._priorities.decisions(
            user_id, since=month_ago, at=at, limit=self._settings.snapshot_decisions
        )
        return compared(snapshot, old, decisions, rules=self._rules)


class OldSnapshots:
    """Drops snapshots that nothing will be compared with any more."""

    name = "snapshots"

    def __init__(self, priorities: PriorityStore, settings: SleepSettings) -> None:
        self._priorities, self._settings = priorities, settings

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        before = at - timedelta(days=self._settings.snapshot_keep_days)
        if dry_run:
            return StepReport(plan=(Planned(action=f"drop priority snapshots before {before:%Y-%m-%d}"),))
        return await dropped(
            "priority snapshots", lambda: self._priorities.drop_old(user_id, before=before, limit=_BATCH), pulse
        )


class Priorities:
    """Shows snapshots."""

    def __init__(self, priorities: PriorityStore, settings: PageSettings) -> None:
        self._priorities, self._settings = priorities, settings

    async def __call__(self, user_id: UserId, *, first: int | None, after: str | None) -> Page[PrioritySnapshot]:
        """One page, the latest first."""
        return await Paging(user_id, "priorities", self._settings).forward_page(
            first, after, lambda start, limit: self._priorities.find(user_id, after=start, limit=limit)
        )

    async def find(self, user_id: UserId, snapshot_id: str) -> PrioritySnapshot | None:
        """One snapshot, or None when this user has none of that id."""
        return await self._priorities.get(user_id, snapshot_id) if is_askable(snapshot_id) else None


def _by_topic(mentions: Sequence[Mention], curve: StrengthCurve, at: datetime) -> list[TopicMentions]:
    strengths: dict[str, list[float]] = defaultdict(list)
    for each in mentions:
        for topic in topics_of(topic_key=each.topic_key, bucket=each.bucket, names=each.names):
            strengths[topic].append(curve.strength(each.strength, at))
    return [
        TopicMentions(topic=topic, mentions=len(each), mean_strength=sum(each) / len(each))
        for topic, each in strengths.items()
    ]


def _planned(snapshot: PrioritySnapshot) -> Planned:
    detail = {"drift": snapshot.drift.value, "similarity": snapshot.similarity, "topics": len(snapshot.weights)}
    return Planned(action="snapshot", memory_ids=snapshot.decision_ids, detail=detail)
