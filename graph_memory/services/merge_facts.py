"""Merge: established facts that say one thing become one (constants.md 2.7, step 2; cases.md 25).

What may become one is decided by rules; a model only proposes the words. A memory is compared with its neighbours once
for each text that it has, so that a run costs what is new, and a second run finds nothing.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graph_memory.domain.asked import RULES, Answer, Question, Statement
from graph_memory.domain.identity import text_hash
from graph_memory.domain.memory import Memory
from graph_memory.domain.merging import first_of, merged_by_rules
from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.vocabulary import Horizon, Kind, MemoryId, UserId
from graph_memory.errors import ConflictError, InferenceError
from graph_memory.ports import CallEstimates, ComparisonStore, LanguageModel, MemoryStore, Near, Pulse, Purpose
from graph_memory.services.unite import Union, Unite
from graph_memory.services.would_ask import would_ask
from graph_memory.settings import Settings

_log = logging.getLogger(__name__)
_PAGE = 100  # memories compared at a time


@dataclass(slots=True, kw_only=True)
class _Run:
    """What one call has done so far."""

    user_id: UserId
    at: datetime
    dry_run: bool
    pulse: Pulse
    report: StepReport = field(default_factory=StepReport)
    done: int = 0  # memories compared
    total: int = 0
    gone: set[MemoryId] = field(default_factory=set)  # into others

    async def beat(self) -> None:
        await self.pulse(self.report, done=self.done, total=max(self.done, self.total))


@dataclass(frozen=True, slots=True)
class _Group:
    """A memory with those that may go into it, the nearest first."""

    first: Memory
    others: tuple[Memory, ...]


class MergeFacts:
    """Merges what says one thing."""

    name = "merge"

    def __init__(
        self,
        *,
        comparisons: ComparisonStore,
        memories: MemoryStore,
        unite: Unite,
        model: LanguageModel,
        estimates: CallEstimates,
        settings: Settings,
    ) -> None:
        self._comparisons, self._memories, self._unite, self._model = comparisons, memories, unite, model
        self._estimates, self._settings, self._rules = estimates, settings, settings.merge_rules()

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        run = _Run(user_id=user_id, at=at, dry_run=dry_run, pulse=pulse)
        if await self._comparisons.count_facts(user_id, at=at) < self._rules.least:
            return run.report
        # A merged text is compared in its turn, so the search is made again until nothing is left.
        while due := await self._due(run):
            run.total = run.done + len(due)
            for start in range(0, len(due), _PAGE):
                page = [each for each in due[start : start + _PAGE] if each not in run.gone]
                await self._compare(run, page)
                run.done += len(due[start : start + _PAGE])
            if dry_run:
                break
        return run.report

    async def _due(self, run: _Run) -> list[MemoryId]:
        left = self._settings.sleep.merge_most - run.done
        if left <= 0:
            return []
        return await self._comparisons.uncompared(
            run.user_id, Purpose.MERGE, kinds=(Kind.SEMANTIC,), horizons=(Horizon.LONG,), at=run.at, limit=left
        )

    async def _compare(self, run: _Run, page: Sequence[MemoryId]) -> None:
        await run.beat()
        near = await self._comparisons.near(
            run.user_id,
            page,
            kinds=(Kind.SEMANTIC,),
            horizons=(Horizon.LONG,),
            least_cosine=self._settings.curation.merge_cosine,
            at=run.at,
        )
        found = await self._memories.get(
            run.user_id, sorted({*page, *(each.id for each in near), *(each.near_id for each in near)})
        )
        judged = await self._comparisons.judged(run.user_id, Purpose.MERGE, sorted({each.pair for each in near}))
        waiting: set[MemoryId] = set()  # to be compared again: what they were near to has changed
        for group in self._groups(found, [each for each in near if each.pair not in judged]):
            waiting |= await self._merge(run, group)
        if not run.dry_run:
            compared = {
                each: text_hash(run.user_id, found[each].text)
                for each in page
                if each in found and each not in waiting | run.gone
            }
            await self._comparisons.note(run.user_id, Purpose.MERGE, judgements=(), compared=compared, at=run.at)

    def _groups(self, found: Mapping[MemoryId, Memory], near: Iterable[Near]) -> list[_Group]:
        """Each memory with those after it in order that may go into it; the first in order first."""
        cosines: dict[tuple[MemoryId, MemoryId], float] = {}
        for each in near:
            if each.id in found and each.near_id in found:
                first, other = sorted((found[each.id], found[each.near_id]), key=first_of)
                cosines[first.id, other.id] = each.cosine
        joining: dict[MemoryId, list[MemoryId]] = {}
        for (first_id, other_id), cosine in sorted(cosines.items(), key=lambda item: (-item[1], item[0])):
            if self._unite.may_join(found[first_id], found[other_id], cosine):
                joining.setdefault(first_id, []).append(other_id)
        groups = [_Group(found[first], tuple(found[other] for other in others)) for first, others in joining.items()]
        return sorted(groups, key=lambda group: first_of(group.first))

    async def _merge(self, run: _Run, group: _Group) -> set[MemoryId]:
        """Merges one group; the memories that are to be compared again because of it."""
        others = tuple(each for each in group.others if each.id not in run.gone)
        if group.first.id in run.gone:
            return {each.id for each in others}
        asked, beyond = others[: self._rules.neighbours], others[self._rules.neighbours :]
        union = await self._union(run, group.first, asked) if asked else None
        if union is None:
            return set()
        await run.beat()
        if not run.dry_run:
            try:
                await self._unite(run.user_id, union, at=run.at)
            except ConflictError as error:
                _log.warning("not merged: %s", error)
                run.report = run.report.plus(StepReport(notes=(str(error),)))
                return set()
        run.gone.update(each.id for each in union.others)
        run.report = run.report.plus(_report(union, dry_run=run.dry_run))
        return {each.id for each in (*asked, *beyond)} - run.gone

    async def _union(self, run: _Run, first: Memory, others: Sequence[Memory]) -> Union | None:
        """What becomes of a group by the words proposed, or, where those do not hold, by the rules' own."""
        given = [Statement(each.id, each.text) for each in (first, *others)]
        own = Answer(merged_by_rules(given), by=RULES)
        if run.dry_run:
            run.report = run.report.plus(would_ask(self._estimates, Question.MERGE, given))
        proposed = own if run.dry_run else await self._proposed(run, given, own)
        for answer in (proposed, own):
            if union := self._unite.planned(first, others, answer.value, by=answer.by):
                return union
        return None

    async def _proposed(self, run: _Run, given: Sequence[Statement], own: Answer[str]) -> Answer[str]:
        try:
            answer = await self._model.merge(run.user_id, given)
        except InferenceError as error:
            _log.warning("merged by the rules alone: %s", error)
            answer = replace(own, note=str(error))
        run.report = run.report.plus(StepReport(notes=(answer.note,) if answer.note else ()))
        return answer


def _report(union: Union, *, dry_run: bool) -> StepReport:
    planned = Planned(action="merge", memory_ids=union.ids, text=union.text, detail={"by": union.by})
    return StepReport(counts={Count.MERGED: len(union.others)}, plan=(planned,) if dry_run else ())
