"""Contradictions: which of two memories excludes the other, and what becomes of the one that yields (constants.md 2.6).

The rules find a denial in the words; a model may find more, but only where the rules agree that both are on the same
attribute of the same subject, and it names both itself. The audit asks this of the whole store, extraction of what it
has just drawn. What is settled is settled in one transaction, with the judgement and its texts.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.domain.asked import RULES, ContradictionProposal
from graph_memory.domain.asked import Statement as Given
from graph_memory.domain.change import Action, Change, belief_change, penalty_change
from graph_memory.domain.contradiction import Conflict, Side, winner
from graph_memory.domain.curation import CurationRules, judge
from graph_memory.domain.link import LinkType, link_id
from graph_memory.domain.memory import Memory
from graph_memory.domain.model_verdicts import followed_contradiction
from graph_memory.domain.succession import SuccessionRules, reversed_outcome
from graph_memory.domain.vocabulary import GENERAL_BUCKET, Horizon, Kind, MemoryId, NodeId, UserId
from graph_memory.errors import ConflictError, InferenceError
from graph_memory.ports import ComparisonStore, Ids, LanguageModel, Near, Pair, Purpose, Succession, Transformed
from graph_memory.services.curate import statement_of
from graph_memory.services.unite import hashes_of, judgement, pair_of

_log = logging.getLogger(__name__)
COMPARED_KINDS = (Kind.SEMANTIC, Kind.DECISION)
COMPARED_HORIZONS = (Horizon.LONG, Horizon.MEDIUM)
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two memories that may exclude each other."""

    newer: Memory
    older: Memory
    cosine: float

    @classmethod
    def of(cls, one: Memory, other: Memory, cosine: float) -> "NearPair":
        older, newer = sorted((one, other), key=_told)
        return cls(newer, older, cosine)

    @property
    def key(self) -> Pair:
        return pair_of(self.newer, self.older)


@dataclass(frozen=True, slots=True)
class Finding:
    """A contradiction, and who found it."""

    pair: NearPair
    conflict: Conflict
    reason: str
    by: str

    @property
    def decided(self) -> bool:
        """Whether the newer one takes the place of the older; else neither is later, and the user is to say."""
        return winner(statement_of(self.pair.newer), statement_of(self.pair.older)) is Side.NEW

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of it."""
        newer, older = self.pair.newer, self.pair.older
        if not self.decided:
            return (f"memories {newer.id} and {older.id} exclude each other, and neither is later",)
        if older.pinned:
            return (f"memory {older.id} was pinned and gave way: move the pin to {newer.id}?",)
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a model says of pairs, as far as it is followed."""

    findings: tuple[Finding, ...] = ()
    asked: frozenset[Pair] = frozenset()  # what a model has judged, and the rules have not in its place
    by: str = RULES
    notes: tuple[str, ...] = ()


class Contradictions:
    """Finds and settles contradictions among memories that are near each other."""

    def __init__(
        self,
        *,
        comparisons: ComparisonStore,
        model: LanguageModel | None,
        rules: CurationRules,
        succession: SuccessionRules,
        ids: Ids,
        rules_cosine: float,
    ) -> None:
        """Without a `model` there are the rules alone, which judge what is at `rules_cosine` or nearer."""
        self._comparisons, self._model, self._rules = comparisons, model, rules
        self._succession, self._ids, self._rules_cosine = succession, ids, rules_cosine

    async def fresh(
        self, user_id: UserId, near: Sequence[Near], found: Mapping[MemoryId, Memory]
    ) -> dict[MemoryId, list[NearPair]]:
        """The pairs of each memory that can be on one thing and were not judged as they read now."""
        judged = await self._comparisons.judged(user_id, Purpose.AUDIT, sorted({each.pair for each in near}))
        pairs: dict[MemoryId, list[NearPair]] = {}
        for each in near:
            one, other = found.get(each.id), found.get(each.near_id)
            if one is None or other is None or not _share_a_place(one, other):
                continue
            if judged.get(each.pair) != hashes_of(user_id, one, other):
                pairs.setdefault(each.id, []).append(NearPair.of(one, other, each.cosine))
        return pairs

    def by_rules(self, pairs: Iterable[NearPair]) -> list[Finding]:
        """Denials in the words, of what is near enough; other values of one attribute are the model's to find."""
        return [
            Finding(pair, Conflict.NEGATE, "opposite polarity", RULES)
            for pair in pairs
            if pair.cosine >= self._rules_cosine - _TOLERANCE and self._is_denial(pair)
        ]

    async def by_model(self, user_id: UserId, pairs: Sequence[NearPair]) -> Opinion:
        """What a model finds among pairs, as far as the words allow; where it fails it finds nothing, with a note."""
        if self._model is None:
            return Opinion()
        findings: list[Finding] = []
        asked, by, notes = set[Pair](), RULES, list[str]()
        for newer, olders in questions(pairs):
            mine = {pair.older.id: pair for pair in pairs if pair.newer.id == newer.id}
            try:
                answer = await self._model.contradict(user_id, newer, olders)
            except InferenceError as error:
                _log.warning("contradictions were sought by the rules alone: %s", error)
                notes.append(str(error))
                continue
            notes += [answer.note] if answer.note else []
            if answer.by != RULES:  # the rules were asked already, and know more of a memory than its text
                by = answer.by
                asked |= {pair.key for pair in mine.values()}
                findings += self._followed(answer.value, mine, answer.by)
        return Opinion(findings=tuple(findings), asked=frozenset(asked), by=by, notes=tuple(dict.fromkeys(notes)))

    async def settle(self, user_id: UserId, finding: Finding, *, during: str, at: datetime) -> None:
        """The older gives way, or both stand against each other. Raises ConflictError when one of them has moved on.

        Args:
            during: what found it, for the audit rows: "audit", "extraction".
        """
        newer, older = finding.pair.newer, finding.pair.older
        reason = f"{finding.reason} ({during} by {finding.by})"
        verdict = finding.conflict.value if finding.decided else "undecided"
        kept = judgement(user_id, Purpose.AUDIT, newer, older, verdict=verdict, by=finding.by)
        if not finding.decided:
            change = self._standoff(newer, older, reason, at)
            await self._comparisons.stand_against(user_id, newer.id, older.id, kept, change, at=at)
            return
        succession = Succession(
            old_id=older.id,
            retire=lambda standing: self._retired(standing, finding, reason, at),
            contradicts=True,
            reason=finding.reason,
        )
        await self._comparisons.settle(user_id, succession, newer.id, kept, at=at)

    def _is_denial(self, pair: NearPair) -> bool:
        verdict = judge(statement_of(pair.newer), statement_of(pair.older), pair.cosine, self._rules)
        return verdict.conflict is Conflict.NEGATE

    def _followed(
        self, proposals: Iterable[ContradictionProposal], pairs: Mapping[MemoryId, NearPair], by: str
    ) -> Iterable[Finding]:
        for proposal in proposals:
            pair = pairs.get(proposal.id)
            if pair is None:
                continue
            newer, older = statement_of(pair.newer), statement_of(pair.older)
            conflict = followed_contradiction(newer, older, proposal, self._rules)
            if conflict is not None:
                yield Finding(pair, conflict, proposal.reason or "another value", by)

    def _standoff(self, newer: Memory, older: Memory, reason: str, at: datetime) -> Change:
        """The audit row of two that exclude each other and both stay."""
        return Change(
            id=self._ids.new(),
            target_id=newer.id,
            at=at,
            action=Action.LINK,
            field="links",
            after=link_id(LinkType.CONTRADICTS, NodeId(newer.id), NodeId(older.id)),
            reason=reason,
            actor="system",
        )

    def _retired(self, standing: Memory, finding: Finding, reason: str, at: datetime) -> Transformed:
        if not standing.is_current(at) or standing.text != finding.pair.older.text:
            raise ConflictError(f"memory {standing.id} has moved on")
        newer = finding.pair.newer
        after = self._succession.contradicted(
            standing, by=newer.category, conflict=finding.conflict, valid_at=newer.interval.valid_at, at=at
        )
        if finding.conflict is Conflict.NEGATE:
            after = reversed_outcome(after)
        negated = finding.conflict is Conflict.NEGATE
        taken, action = (Action.CONTRADICT, Action.NEGATE) if negated else (Action.WEAKEN, Action.SUPERSEDE)
        changes = (
            penalty_change(self._ids.new(), standing, after, taken, at, reason=reason),
            belief_change(self._ids.new(), standing, after, action, at, reason=reason, actor="system"),
        )
        return Transformed(after, changes)


def questions(pairs: Sequence[NearPair]) -> list[tuple[Given, list[Given]]]:
    """What a model is asked of pairs: each newer one beside all the older ones that it may exclude."""
    newer = {pair.newer.id: Given(pair.newer.id, pair.newer.text) for pair in pairs}
    return [
        (given, [Given(pair.older.id, pair.older.text) for pair in pairs if pair.newer.id == newer_id])
        for newer_id, given in newer.items()
    ]


def _told(memory: Memory) -> tuple[datetime, datetime, MemoryId]:
    return memory.interval.valid_at, memory.interval.created_at, memory.id


def _share_a_place(one: Memory, other: Memory) -> bool:
    """Whether two can speak of the same: in one bucket, or one of them everywhere."""
    return one.kind is other.kind and (one.bucket == other.bucket or GENERAL_BUCKET in (one.bucket, other.bucket))
