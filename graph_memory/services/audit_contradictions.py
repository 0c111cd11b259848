"""Audit: pass B of contradiction, over the whole store (constants.md 2.6; cases.md 22 and 23).

Each memory is compared once with all that is near it. The rules find a denial in the words; a model may find more, but
only where the rules agree that both are on the same attribute of the same subject, and it names both itself. What is
judged is kept, with the texts that were.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graph_memory.domain.asked import RULES, ContradictionProposal
from graph_memory.domain.asked import Statement as Given
from graph_memory.domain.change import Action, Change, belief_change, penalty_change
from graph_memory.domain.contradiction import Conflict, Side, denies, may_retire, winner
from graph_memory.domain.curation import CurationRules, judge
from graph_memory.domain.identity import text_hash
from graph_memory.domain.link import LinkType, link_id
from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.statement import read
from graph_memory.domain.succession import SuccessionRules, reversed_outcome
from graph_memory.domain.vocabulary import GENERAL_BUCKET, Horizon, Kind, MemoryId, NodeId, UserId
from graph_memory.errors import ConflictError, InferenceError
from graph_memory.ports import (
    ComparisonStore,
    Ids,
    Judgement,
    LanguageModel,
    MemoryStore,
    Near,
    Pair,
    Pulse,
    Purpose,
    Succession,
    Transformed,
)
from graph_memory.services.curate import statement_of
from graph_memory.services.unite import hashes_of, judgement, pair_of
from graph_memory.settings import Settings

_log = logging.getLogger(__name__)
_PAGE = 50  # memories compared at a time
_KINDS = (Kind.SEMANTIC, Kind.DECISION)
_HORIZONS = (Horizon.LONG, Horizon.MEDIUM)
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two memories that may exclude each other."""

    newer: Memory
    older: Memory
    cosine: float

    @classmethod
    def of(cls, one: Memory, other: Memory, cosine: float) -> "_Pair":
        older, newer = sorted((one, other), key=_told)
        return cls(newer, older, cosine)


@dataclass(frozen=True, slots=True)
class _Finding:
    """A contradiction, and who found it."""

    pair: _Pair
    conflict: Conflict
    reason: str
    by: str


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
        model: LanguageModel,
        rules: CurationRules,
        succession: SuccessionRules,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._comparisons, self._memories, self._model = comparisons, memories, model
        self._rules, self._succession, self._ids, self._settings = rules, succession, ids, settings

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        most = self._settings.sleep.audit_pairs
        run = _Run(user_id=user_id, at=at, dry_run=dry_run, pulse=pulse, left=most, total=most)
        due = await self._comparisons.uncompared(
            user_id,
            Purpose.AUDIT,
            kinds=_KINDS,
            horizons=_HORIZONS,
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
            kinds=_KINDS,
            horizons=_HORIZONS,
            least_cosine=self._settings.sleep.audit_cosine,
            at=run.at,
        )
        found = await self._memories.get(run.user_id, sorted({*page, *(each.near_id for each in near)}))
        pairs = await self._fresh(run, near, found)
        await run.beat()
        for memory_id in page:
            mine = [pair for pair in pairs.get(memory_id, ()) if _key(pair) not in run.judged]
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

    async def _fresh(
        self, run: _Run, near: Sequence[Near], found: Mapping[MemoryId, Memory]
    ) -> dict[MemoryId, list[_Pair]]:
        """The pairs of each memory that were not judged as they read now."""
        judged = await self._comparisons.judged(run.user_id, Purpose.AUDIT, sorted({each.pair for each in near}))
        pairs: dict[MemoryId, list[_Pair]] = {}
        for each in near:
            one, other = found.get(each.id), found.get(each.near_id)
            if one is None or other is None or not _share_a_place(one, other):
                continue
            if judged.get(each.pair) != hashes_of(run.user_id, one, other):
                pairs.setdefault(each.id, []).append(_Pair.of(one, other, each.cosine))
        return pairs

    async def _judge(self, run: _Run, pairs: Sequence[_Pair]) -> None:
        """Settles what conflicts, each in a transaction of its own; the others wait to be noted."""
        findings = {_key(pair): finding for pair in pairs if (finding := self._by_rules(pair))}
        rest = [pair for pair in pairs if _key(pair) not in findings]
        if rest and not run.dry_run:
            findings |= {_key(finding.pair): finding for finding in await self._by_model(run, rest)}
        for pair in pairs:
            if finding := findings.get(_key(pair)):
                await self._settle(run, finding)
        run.judged |= {_key(pair) for pair in pairs}
        run.compatible += [
            judgement(run.user_id, Purpose.AUDIT, pair.newer, pair.older, verdict="compatible", by=run.judged_by)
            for pair in pairs
            if _key(pair) not in findings
        ]
        if run.judged_by != RULES:  # what a model was paid for is kept at once
            await self._note(run)
            run.judged_by = RULES

    def _by_rules(self, pair: _Pair) -> _Finding | None:
        """A denial in the words, near enough; other values of one attribute are the model's to find."""
        if pair.cosine < self._settings.sleep.audit_rules_cosine - _TOLERANCE:
            return None
        verdict = judge(statement_of(pair.newer), statement_of(pair.older), pair.cosine, self._rules)
        if verdict.conflict is not Conflict.NEGATE:
            return None
        return _Finding(pair, Conflict.NEGATE, "opposite polarity", RULES)

    async def _by_model(self, run: _Run, pairs: Sequence[_Pair]) -> list[_Finding]:
        findings: list[_Finding] = []
        newer_ids = dict.fromkeys(pair.newer.id for pair in pairs)
        for newer_id in newer_ids:
            mine = {pair.older.id: pair for pair in pairs if pair.newer.id == newer_id}
            newer = next(iter(mine.values())).newer
            try:
                answer = await self._model.contradict(
                    run.user_id,
                    Given(newer.id, newer.text),
                    [Given(pair.older.id, pair.older.text) for pair in mine.values()],
                )
            except InferenceError as error:
                _log.warning("audited by the rules alone: %s", error)
                run.report = run.report.plus(StepReport(notes=(str(error),)))
                continue
            run.report = run.report.plus(StepReport(notes=(answer.note,) if answer.note else ()))
            if answer.by != RULES:  # the rules were asked already, and know more of a memory than its text
                run.judged_by = answer.by
                findings += self._agreed(answer.value, mine, answer.by)
        return findings

    def _agreed(
        self, proposals: Iterable[ContradictionProposal], pairs: Mapping[MemoryId, _Pair], by: str
    ) -> Iterable[_Finding]:
        """What of a model's answer holds: it names same subject and attribute, and so do the rules."""
        for proposal in proposals:
            pair = pairs.get(proposal.id)
            if pair is None or not (proposal.conflicts and proposal.same_subject and proposal.same_attribute):
                continue
            if may_retire(statement_of(pair.newer), statement_of(pair.older), self._rules.wording):
                yield _Finding(pair, self._kind(pair, proposal), proposal.reason or "another value", by)

    def _kind(self, pair: _Pair, proposal: ContradictionProposal) -> Conflict:
        """That the older was never true takes a denial in the words too."""
        newer, older = (read(each.text, self._rules.wording) for each in (pair.newer, pair.older))
        negates = proposal.conflict is Conflict.NEGATE and denies(newer, older)
        return Conflict.NEGATE if negates else Conflict.REPLACE

    async def _settle(self, run: _Run, finding: _Finding) -> None:
        pair = finding.pair
        if run.gone & {pair.newer.id, pair.older.id}:
            return
        await run.beat()
        decided = winner(statement_of(pair.newer), statement_of(pair.older)) is Side.NEW
        if not run.dry_run:
            try:
                await self._write(run, finding, decided=decided)
            except ConflictError as error:  # one of them has moved on; it is looked at again when it is compared
                run.report = run.report.plus(StepReport(notes=(str(error),)))
                return
        if decided:
            run.gone.add(pair.older.id)
        run.report = run.report.plus(_told_of(finding, decided=decided, dry_run=run.dry_run))

    async def _write(self, run: _Run, finding: _Finding, *, decided: bool) -> None:
        newer, older = finding.pair.newer, finding.pair.older
        verdict = finding.conflict.value if decided else "undecided"
        kept = judgement(run.user_id, Purpose.AUDIT, newer, older, verdict=verdict, by=finding.by)
        if not decided:
            change = self._standoff(newer, older, finding, run.at)
            await self._comparisons.stand_against(run.user_id, newer.id, older.id, kept, change, at=run.at)
            return
        succession = Succession(
            old_id=older.id,
            retire=lambda standing: self._retired(standing, finding, run.at),
            contradicts=True,
            reason=finding.reason,
        )
        await self._comparisons.settle(run.user_id, succession, newer.id, kept, at=run.at)

    def _standoff(self, newer: Memory, older: Memory, finding: _Finding, at: datetime) -> Change:
        """The audit row of two that exclude each other and both stay."""
        return Change(
            id=self._ids.new(),
            target_id=newer.id,
            at=at,
            action=Action.LINK,
            field="links",
            after=link_id(LinkType.CONTRADICTS, NodeId(newer.id), NodeId(older.id)),
            reason=f"{finding.reason} (audit by {finding.by})",
            actor="system",
        )

    def _retired(self, standing: Memory, finding: _Finding, at: datetime) -> Transformed:
        if not standing.is_current(at) or standing.text != finding.pair.older.text:
            raise ConflictError(f"memory {standing.id} has moved on")
        newer = finding.pair.newer
        after = self._succession.contradicted(
            standing, by=newer.category, conflict=finding.conflict, valid_at=newer.interval.valid_at, at=at
        )
        if finding.conflict is Conflict.NEGATE:
            after = reversed_outcome(after)
        return Transformed(after, self._changes(standing, after, finding, at))

    def _changes(self, before: Memory, after: Memory, finding: _Finding, at: datetime) -> tuple[Change, ...]:
        negated, reason = finding.conflict is Conflict.NEGATE, f"{finding.reason} (audit by {finding.by})"
        taken, action = (Action.CONTRADICT, Action.NEGATE) if negated else (Action.WEAKEN, Action.SUPERSEDE)
        return (
            penalty_change(self._ids.new(), before, after, taken, at, reason=reason),
            belief_change(self._ids.new(), before, after, action, at, reason=reason, actor="system"),
        )


def _told(memory: Memory) -> tuple[datetime, datetime, MemoryId]:
    return memory.interval.valid_at, memory.interval.created_at, memory.id


def _key(pair: _Pair) -> Pair:
    return pair_of(pair.newer, pair.older)


def _share_a_place(one: Memory, other: Memory) -> bool:
    """Whether two can speak of the same: in one bucket, or one of them everywhere."""
    return one.kind is other.kind and (one.bucket == other.bucket or GENERAL_BUCKET in (one.bucket, other.bucket))


def _told_of(finding: _Finding, *, decided: bool, dry_run: bool) -> StepReport:
    newer, older = finding.pair.newer, finding.pair.older
    notes = []
    if not decided:
        notes.append(f"memories {newer.id} and {older.id} exclude each other, and neither is later")
    elif older.pinned:
        notes.append(f"memory {older.id} was pinned and gave way: move the pin to {newer.id}?")
    action = finding.conflict.value if decided else "contradict"
    planned = Planned(
        action=action, memory_ids=(newer.id, older.id), text=older.text, detail={"reason": finding.reason}
    )
    return StepReport(counts={Count.CONTRADICTIONS: 1}, plan=(planned,) if dry_run else (), notes=tuple(notes))
