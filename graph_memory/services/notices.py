"""Notices: what a user should hear of unasked, reckoned when it is looked for (operations.md, notices)."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from graph_memory.domain.dates import date_words
from graph_memory.domain.drift import Drift
from graph_memory.domain.local_midnight import week_begins
from graph_memory.domain.memory import Memory
from graph_memory.domain.notice import Notice, NoticeKind, drift_text
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import AuditStore, BackgroundWork, Clock, MemoryStore, NoticeStore, PriorityStore
from graph_memory.services.user_book import UserBook
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings


class Notices:
    """Tells what a user should hear of."""

    def __init__(
        self,
        *,
        notices: NoticeStore,
        priorities: PriorityStore,
        audit: AuditStore,
        memories: MemoryStore,
        user_book: UserBook,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._notices, self._priorities, self._audit, self._memories = notices, priorities, audit, memories
        self._user_book, self._clock, self._settings = user_book, clock, settings

    async def __call__(self, user_id: UserId) -> list[Notice]:
        """All notices, the latest first."""
        now = self._clock.now()
        found = await asyncio.gather(
            self._drift(user_id, now),
            self._fading(user_id, now),
            self._contradictions(user_id, now),
            self._parked(user_id, now),
        )
        return sorted((each for notices in found for each in notices), key=lambda notice: notice.at, reverse=True)

    async def _drift(self, user_id: UserId, now: datetime) -> list[Notice]:
        """One a calendar week, from the first snapshot of the week on that was not stable, while the last is not."""
        week = week_begins(now, zone_of((await self._user_book.of(user_id)).time_zone))
        rows = await self._priorities.find(user_id, after=None, limit=self._settings.sleep.notice_snapshots)
        snapshots = [row.value for row in rows if week <= row.value.at <= now]
        if not snapshots or snapshots[0].drift is Drift.STABLE:
            return []
        latest = snapshots[0]
        old = await self._priorities.get(user_id, latest.compared_with or "")
        text = drift_text(latest, old.weights if old else {})
        at = min(each.at for each in snapshots if each.drift is not Drift.STABLE)
        memories = await self._found(user_id, latest.decision_ids)
        return [Notice(kind=NoticeKind.DRIFT, text=text, at=at, memories=memories)]

    async def _fading(self, user_id: UserId, now: datetime) -> list[Notice]:
        settings = self._settings.sleep
        found = await self._notices.fading(user_id, at=now, scan=settings.notice_scan, limit=settings.notice_memories)
        if found is None:
            return []
        zone = zone_of((await self._user_book.of(user_id)).time_zone)
        when = f", on {date_words(found.first_at, zone=zone)}" if found.first_at else ""
        text = (
            f"One memory will soon fade from view{when}."
            if found.count == 1
            else f"{found.count} memories will soon fade from view, the first{when.removeprefix(',')}."
        )
        memories = await self._found(user_id, found.ids)
        return [Notice(kind=NoticeKind.FADING_SOON, text=text, at=found.since, memories=memories)]

    async def _contradictions(self, user_id: UserId, now: datetime) -> list[Notice]:
        """Those of which both sides still stand; where one is gone by now there is nothing left to settle."""
        rows = await self._audit.contradictions(
            user_id, settled=False, after=None, limit=self._settings.sleep.notice_contradictions
        )
        text = "Two memories exclude each other, and neither has given way."
        return [
            Notice(kind=NoticeKind.CONTRADICTION, text=text, at=each.at, memories=(each.older, each.newer))
            for each in (row.value for row in rows)
            if each.older.is_current(now) and each.newer.is_current(now)
        ]

    async def _parked(self, user_id: UserId, now: datetime) -> list[Notice]:
        parked = await self._notices.parked(user_id, at=now, limit=self._settings.sleep.notice_memories)
        return [
            Notice(
                kind=NoticeKind.PARKED,
                text=self._given_up(work, found.count),
                at=found.since,
                memories=await self._found(user_id, found.ids),
            )
            for work, found in parked.items()
        ]

    def _given_up(self, work: BackgroundWork, count: int) -> str:
        settings, memories = self._settings, "1 memory" if count == 1 else f"{count} memories"
        match work:
            case BackgroundWork.ENRICHMENT:
                tries = settings.enrichment.max_attempts
                given_up = f"The work after the write was given up after {tries} tries for {memories}"
                return f"{given_up}: not linked to what they name."
            case BackgroundWork.LINKS:
                tries = settings.links.max_attempts
                return f"The search for links was given up after {tries} tries for {memories}, until the text changes."
            case BackgroundWork.EXTRACTION:
                turns, tries = "1 turn" if count == 1 else f"{count} turns", settings.curation.extract_attempts
                return f"Drawing facts was given up after {tries} tries for {turns}; it can be asked for again."

    async def _found(self, user_id: UserId, ids: Sequence[MemoryId]) -> tuple[Memory, ...]:
        found = await self._memories.get(user_id, ids) if ids else {}
        return tuple(found[each] for each in ids if each in found)
