"""Promote: observations that gathered enough evidence become established facts (constants.md 2.7, step 1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory.domain.asked import RULES, Statement
from graph_memory.domain.change import promote_change
from graph_memory.domain.memory import Memory
from graph_memory.domain.merging import merged_by_rules
from graph_memory.domain.promotion import promoted_category
from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.vocabulary import Horizon, Kind, MemoryId, Source, UserId
from graph_memory.errors import ConflictError
from graph_memory.ports import (
    ComparisonStore,
    Ids,
    MemoryStore,
    Near,
    ObservationStore,
    Pulse,
    Transformation,
    Transformed,
)
from graph_memory.services.unite import Union, Unite
from graph_memory.settings import Settings

_SAID_BY_THE_USER = frozenset((Source.USER_STATED, Source.MANUAL_EDIT))


@dataclass(frozen=True, slots=True)
class _Ripe:
    """An observation that is to be promoted, what speaks for it, and the fact that covers it already."""

    memory: Memory
    score: float
    known: Union | None


class Promote:
    """Promotes observations, the best first."""

    name = "promote"

    def __init__(
        self,
        *,
        observations: ObservationStore,
        comparisons: ComparisonStore,
        memories: MemoryStore,
        unite: Unite,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._observations, self._comparisons, self._memories = observations, comparisons, memories
        self._unite, self._ids, self._settings, self._rules = unite, ids, settings, settings.promotion_rules()

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        ripe = await self._ripe(user_id, at)
        report = StepReport()
        for done, each in enumerate(ripe):
            await pulse(report, done=done, total=len(ripe))
            report = report.plus(_planned(each) if dry_run else await self._settle(user_id, each, at))
        return report

    async def _ripe(self, user_id: UserId, at: datetime) -> list[_Ripe]:
        ids = await self._observations.find(user_id, least_occurrences=self._rules.occurrences, at=at)
        found = await self._memories.get(user_id, ids)
        due = [memory for memory in found.values() if self._is_ripe(memory, at)]
        due.sort(key=lambda memory: (-self._score(memory, at), memory.evidence.first_at, memory.id))
        due = due[: self._settings.sleep.promote_most]
        near = await self._comparisons.near(
            user_id,
            [memory.id for memory in due],
            kinds=(Kind.SEMANTIC,),
            horizons=(Horizon.LONG,),
            least_cosine=self._settings.curation.live_cosine,
            at=at,
        )
        facts = await self._memories.get(user_id, sorted({each.near_id for each in near}))
        return [_Ripe(memory, self._score(memory, at), self._known(memory, near, facts)) for memory in due]

    def _is_ripe(self, memory: Memory, at: datetime) -> bool:
        return (
            memory.horizon is Horizon.MEDIUM
            and memory.is_current(at)
            and self._rules.promotes(memory.evidence, confidence=memory.confidence, at=at)
        )

    def _score(self, memory: Memory, at: datetime) -> float:
        return self._rules.score_of(memory.evidence, confidence=memory.confidence, at=at)

    def _known(self, memory: Memory, near: Sequence[Near], facts: Mapping[MemoryId, Memory]) -> Union | None:
        """The nearest fact that says the same, as the one that the observation goes into."""
        for each in near:
            fact = facts.get(each.near_id)
            if each.id != memory.id or fact is None or not self._unite.may_join(fact, memory, each.cosine):
                continue
            text = merged_by_rules([Statement(fact.id, fact.text), Statement(memory.id, memory.text)])
            if union := self._unite.planned(fact, [memory], text, by=RULES):
                return union
        return None

    async def _settle(self, user_id: UserId, ripe: _Ripe, at: datetime) -> StepReport:
        if ripe.known is None:
            return await self._promote(user_id, ripe, at)
        try:
            await self._unite(user_id, ripe.known, at=at)
        except ConflictError as error:
            return StepReport(notes=(str(error),))
        return StepReport(counts={Count.MERGED: 1})

    async def _promote(self, user_id: UserId, ripe: _Ripe, at: datetime) -> StepReport:
        promoted = 0

        def promote(found: Mapping[MemoryId, Memory], _: frozenset[str]) -> Transformation:
            nonlocal promoted
            before = found.get(ripe.memory.id)
            if before is None or not self._is_ripe(before, at):
                promoted = 0
                return Transformation()
            promoted = 1
            after = _promoted(before)
            change = promote_change(self._ids.new(), before, after, at, reason=f"score {ripe.score:g}")
            return Transformation((Transformed(after, (change,)),))

        await self._memories.transform(user_id, [ripe.memory.id], promote, at=at)
        return StepReport(counts={Count.PROMOTED: promoted}) if promoted else StepReport()


def _promoted(memory: Memory) -> Memory:
    return replace(
        memory,
        horizon=Horizon.LONG,
        category=promoted_category(memory.category),
        source=Source.CONSOLIDATED,
        confirmed=memory.confirmed or memory.source in _SAID_BY_THE_USER,
    )


def _planned(ripe: _Ripe) -> StepReport:
    detail = {"score": ripe.score}
    if ripe.known is not None:
        planned = Planned(action="merge", memory_ids=ripe.known.ids, text=ripe.known.text, detail=detail)
        return StepReport(counts={Count.MERGED: 1}, plan=(planned,))
    planned = Planned(action="promote", memory_ids=(ripe.memory.id,), text=ripe.memory.text, detail=detail)
    return StepReport(counts={Count.PROMOTED: 1}, plan=(planned,))
