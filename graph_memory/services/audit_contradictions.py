"""Audit: pass B of contradiction, over the whole store (constants.md 2.6; cases.md 22 and 23).

Each memory is compared once with all that is near it, and what excludes the other is settled
(`services/contradictions.py`). What is judged is kept, with the texts that were.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graph_memory.domain.asked import RULES, Question
from graph_memory.domain.identity import text_hash
from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.vocabulary import Horizon, Kind, MemoryId, UserId
from graph_memory.errors import ConflictError
from graph_memory.ports import CallEstimates, ComparisonStore, Judgement, MemoryStore, Near, Pair, Pulse, Purpose
from graph_memory.services.contradictions import (
    COMPARED_HORIZONS,
    COMPARED_KINDS,
    Contradictions,
    Finding,
    NearPair,
    questions,
)
from graph_memory.services.unite import judgement
from graph_memory.services.would_ask import would_ask
from graph_memory.settings import Settings

_PAGE = 50  # memories compared at a time
_TOLERANCE = 1e-9


@dataclass(slots=True, kw_only=True)
class _Run:
    """What one call has done so far."""

    user_id: UserId
    at: datetime
    dry_run: bool
    pulse: Pulse
    left: int  # pairs that may still be judged
    total: int
    report: StepReport = field(default_factory=StepReport)
    judged: set[Pair] = field(default_factory=set)
    gone: set[MemoryId] = field(default_factory=set)  # gave way to another
    judged_by: str = RULES  # who was asked last
    compatible: list[Judgement] = field(default_factory=list)  # still to be noted
    compared: dict[MemoryId, str] = field(default_factory=dict)  # the same, with the hash of the text

    async def beat(self) -> None:
        await self.pulse(self.report, done=self.total - self.left, total=self.total)


class AuditContradictions:
    """Looks for statements that exclude each other."""

    name = "audit"

    def __init__(
        self,
        *,
        comparisons: ComparisonStore,
        memories: MemoryStore,
        contradictions: Contradictions,
        estimates: CallEstimates,
        settings: Settings,
    ) -> None:
        self._comparisons, self._memories = comparisons, memories
        self._contradictions, self._estimates, self._settings = contradictions, estimates, settings

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        most = self._settings.sleep.audit_pairs
        run = _Run(user_id=user_id, at=at, dry_run=dry_run, pulse=pulse, left=most, total=most)
        due = await self._comparisons.uncompared(
            user_id,
            Purpose.AUDIT,
            kinds=COMPARED_KINDS,
            horizons=COMPARED_HORIZONS,
            at=at,
            limit=self._settings.sleep.audit_most,
        )
        for start in range(0, len(due), _PAGE):
            page = [each for each in due[start : start + _PAGE] if each not in run.gone]
            if not await self._audit(run, page):
                break
        return run.report

    async def _audit(self, run: _Run, page: Sequence[MemoryId]) -> bool:
        """Judges what is near some memories, the newest first; whether all of it could be judged in this run."""
        near = await self._comparisons.near(
            run.user_id,
            page,
            kinds=COMPARED_KINDS,
            horizons=COMPARED_HORIZONS,
            least_cosine=self._settings.sleep.audit_cosine,
            at=run.at,
        )
        found = await self._memories.get(run.user_id, sorted({*page, *(each.near_id for each in near)}))
        pairs = await self._contradictions.fresh(run.user_id, near, found)
        await run.beat()
        for memory_id in page:
            mine = [pair for pair in pairs.get(memory_id, ()) if pair.key not in run.judged]
            mine = [pair for pair in mine if not run.gone & {pair.newer.id, pair.older.id}]
            judged, beyond = mine[: run.left], mine[run.left :]
            run.left -= len(judged)
            await self._judge(run, judged)
            if beyond:
                run.report = run.report.plus(StepReport(notes=("more pairs wait for the next audit",)))
                await self._note(run)
                return False
            if memory_id in found:
                run.compared[memory_id] = text_hash(run.user_id, found[memory_id].text)
        await self._note(run)
        await self._note_apart(run, [found[each] for each in page if each in found], near)
        return True

    async def _note(self, run: _Run) -> None:
        """Keeps what was judged and conflicts with nothing."""
        if not run.dry_run:
            await self._comparisons.note(
                run.user_id, Purpose.AUDIT, judgements=run.compatible, compared=run.compared, at=run.at
            )
        run.compatible, run.compared = [], {}

    async def _note_apart(self, run: _Run, memories: Sequence[Memory], near: Sequence[Near]) -> None:
        """Facts that are near to nothing need not be compared for merging either."""
        least = self._settings.curation.merge_cosine - _TOLERANCE
        close = {each.id for each in near if each.cosine >= least}
        apart = {
            memory.id: text_hash(run.user_id, memory.text)
            for memory in memories
            if memory.id not in close and (memory.kind, memory.horizon) == (Kind.SEMANTIC, Horizon.LONG)
        }
        if not run.dry_run:
            await self._comparisons.note(run.user_id, Purpose.MERGE, judgements=(), compared=apart, at=run.at)

    async def _judge(self, run: _Run, pairs: Sequence[NearPair]) -> None:
        """Settles what conflicts, each in a transaction of its own; the others wait to be noted."""
        findings = {finding.pair.key: finding for finding in self._contradictions.by_rules(pairs)}
        rest = [pair for pair in pairs if pair.key not in findings]
        if run.dry_run:
            for newer, olders in questions(rest):
                run.report = run.report.plus(would_ask(self._estimates, Question.CONTRADICT, newer, olders))
        else:
            findings |= {finding.pair.key: finding for finding in await self._by_model(run, rest)}
        for pair in pairs:
            if finding := findings.get(pair.key):
                await self._settle(run, finding)
        run.judged |= {pair.key for pair in pairs}
        run.compatible += [
            judgement(run.user_id, Purpose.AUDIT, pair.newer, pair.older, verdict="compatible", by=run.judged_by)
            for pair in pairs
            if pair.key not in findings
        ]
        if run.judged_by != RULES:  # what a model was paid for is kept at once
            await self._note(run)
            run.judged_by = RULES

    async def _by_model(self, run: _Run, pairs: Sequence[NearPair]) -> Sequence[Finding]:
        opinion = await self._contradictions.by_model(run.user_id, pairs)
        run.judged_by = opinion.by
        run.report = run.report.plus(StepReport(notes=opinion.notes))
        return opinion.findings

    async def _settle(self, run: _Run, finding: Finding) -> None:
        newer, older = finding.pair.newer, finding.pair.older
        if run.gone & {newer.id, older.id}:
            return
        await run.beat()
        if not run.dry_run:
            try:
                await self._contradictions.settle(run.user_id, finding, during="audit", at=run.at)
            except ConflictError as error:  # one of them has moved on; it is looked at again when it is compared
                run.report = run.report.plus(StepReport(notes=(str(error),)))
                return
        if finding.decided:
            run.gone.add(older.id)
        run.report = run.report.plus(_told_of(finding, dry_run=run.dry_run))


def _told_of(finding: Finding, *, dry_run: bool) -> StepReport:
    newer, older = finding.pair.newer, finding.pair.older
    planned = Planned(
        action=finding.conflict.value if finding.decided else "contradict",
        memory_ids=(newer.id, older.id),
        text=older.text,
        detail={"reason": finding.reason},
    )
    return StepReport(counts={Count.CONTRADICTIONS: 1}, plan=(planned,) if dry_run else (), notes=finding.notes)
