"""Curate: what becomes of a new statement beside what is known (constants.md 2.9, operations.md, curation).

By rules: it is new, it is known, it says more, another value takes the place of the old one, or it denies it. Where
they find nothing, a model is asked, if there is one, and followed as far as the words allow. Episodic memories are
never changed by this.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graph_memory.domain.asked import Statement as Given
from graph_memory.domain.change import Action, Change, belief_change, penalty_change, promote_change
from graph_memory.domain.confidence import ConfidenceRules, Evidence
from graph_memory.domain.contradiction import Conflict
from graph_memory.domain.curation import Candidate, CurationRules, Update, Verdict, curate
from graph_memory.domain.draft import CheckedDraft, is_user
from graph_memory.domain.identity import name_key, retelling_id
from graph_memory.domain.index_terms import index_query_terms
from graph_memory.domain.memory import Memory
from graph_memory.domain.model_verdicts import followed_curation
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.statement import Statement
from graph_memory.domain.succession import SuccessionRules
from graph_memory.domain.text import words
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import (
    GENERAL_BUCKET,
    Category,
    Horizon,
    Kind,
    MemoryId,
    Source,
    UserId,
    WriteOperation,
)
from graph_memory.errors import ConflictError, InferenceError, NotFoundError
from graph_memory.ports import (
    Floats,
    Ids,
    LanguageModel,
    MemoryStore,
    NewMemory,
    Receipt,
    Succession,
    Transformation,
    Transformed,
)
from graph_memory.services.revise import Revise
from graph_memory.services.use import with_side_effects
from graph_memory.settings import CurationSettings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with a new statement, and the old memory that it concerns."""

    verdict: Verdict
    old: Memory | None = None
    text: str | None = None  # what the old one is to say, where it is not the new statement itself

    @property
    def makes_new(self) -> bool:
        """Whether the statement becomes a memory of its own."""
        return self.verdict.operation in (WriteOperation.ADD, WriteOperation.DELETE) or (
            self.verdict.update is Update.REPLACING
        )


NEW = Plan(Verdict(operation=WriteOperation.ADD, reason="not curated"))


class Curate:
    """Settles what becomes of new statements."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        revise: Revise,
        rules: CurationRules,
        succession: SuccessionRules,
        beliefs: ConfidenceRules,
        reinforcement: Reinforcement,
        ids: Ids,
        settings: CurationSettings,
        model: LanguageModel | None = None,
        model_seconds: float = 5.0,
    ) -> None:
        """`model` is asked where rules find nothing, and waited for `model_seconds` at most."""
        self._model, self._model_seconds = model, model_seconds
        self._memories, self._revise = memories, revise
        self._rules, self._succession, self._beliefs = rules, succession, beliefs
        self._reinforcement, self._ids, self._settings = reinforcement, ids, settings

    async def plan(self, user_id: UserId, draft: CheckedDraft, vector: Floats, *, at: datetime) -> Plan:
        """What to do with a draft, as things stand now."""
        if draft.kind is Kind.EPISODIC or not draft.curate:
            return NEW
        found = await self._memories.candidates(
            user_id,
            vector=vector,
            words=words(draft.text),
            index_terms=index_query_terms(draft.text),
            kind=draft.kind,
            buckets=tuple({draft.bucket, GENERAL_BUCKET}),
            limit=self._settings.candidates,
            at=at,
        )
        statement = _statement_of_draft(draft, at)
        olds = [(memory, Candidate(statement_of(memory), cosine)) for memory, cosine in found]
        verdict, closest = curate(statement, [candidate for _, candidate in olds], self._rules)
        if closest is None and self._model is not None:
            near = [(memory, old.statement) for memory, old in olds if old.cosine >= self._settings.live_cosine]
            return await self._by_model(user_id, statement, near, self._model) or Plan(verdict)
        return Plan(verdict, next((memory for memory, candidate in olds if candidate is closest), None))

    async def _by_model(
        self,
        user_id: UserId,
        new: Statement,
        near: Sequence[tuple[Memory, Statement]],
        model: LanguageModel,
    ) -> Plan | None:
        """What a model makes of a statement, as far as it is followed; None: nothing, or it does not answer in time."""
        if not near:
            return None
        given = [Given(memory.id, memory.text) for memory, _ in near]
        try:
            async with asyncio.timeout(self._model_seconds):
                proposal = (await model.curate(user_id, new.text, given)).value
        except (InferenceError, TimeoutError) as error:
            _log.info("curated by rules alone: %s", error or "the model takes too long")
            return None
        for memory, old in near:
            if memory.id == proposal.target_id and (verdict := followed_curation(new, old, proposal, self._rules)):
                return Plan(verdict, memory, proposal.text)
        return None

    def with_succession(self, new: NewMemory, plan: Plan, *, at: datetime) -> NewMemory:
        """The new memory with what it takes the place of, or with what it stands against."""
        if plan.old is None or plan.verdict.conflict is None:
            return new
        if plan.verdict.operation is WriteOperation.ADD:
            return replace(new, contradicts=(plan.old.id,))
        succession = Succession(
            old_id=plan.old.id,
            retire=lambda standing: self._retired(standing, new.memory, plan, at),
            contradicts=True,
            reason=plan.verdict.reason,
        )
        return replace(new, successions=(succession,))

    async def repeat(
        self, user_id: UserId, draft: CheckedDraft, memory_id: MemoryId, *, profile: TierProfile, at: datetime
    ) -> Memory:
        """What is known was said again: a use of it, and more belief. Raises NotFoundError.

        An observation that still gathers evidence gathers some, and is believed as by a confirmation; what the caller
        says as an established fact establishes it. A draft with a key counts once.
        """
        retelling = self._retelling(user_id, draft, memory_id, at)

        def repeated(found: dict[MemoryId, Memory]) -> Transformation:
            before = found[memory_id]
            evidence = Evidence.CONFIRM if before.horizon is Horizon.MEDIUM else Evidence.RE_EXPOSURE
            used = self._reinforcement.accessed(before, at, profile=profile)
            after = self._observed_again(
                replace(used, confidence=self._beliefs.moved(before.confidence, evidence)), draft, at
            )
            belief = self._belief(before, after, Action(evidence.value), None, at)
            changes = list(with_side_effects(belief, before, after, ids=self._ids, actor="system"))
            if after.horizon is not before.horizon:
                changes.append(promote_change(self._ids.new(), before, after, at, reason="said as a fact"))
            return Transformation((Transformed(after, tuple(changes)),))

        found = await self._memories.transform(
            user_id,
            [memory_id],
            lambda found, fresh: (
                repeated(dict(found))
                if memory_id in found and all(each.id in fresh for each in retelling)
                else Transformation()
            ),
            at=at,
            receipts=retelling,
        )
        if memory_id not in found:
            raise NotFoundError("memory", memory_id)
        return found[memory_id]

    async def enrich(
        self, user_id: UserId, draft: CheckedDraft, plan: Plan, *, profile: TierProfile, at: datetime
    ) -> Memory:
        """The old memory with the richer text, used and believed a little more. Raises ConflictError."""
        assert plan.old is not None

        def enriched(standing: Memory) -> Memory:
            if not standing.is_current(at):
                raise ConflictError(f"memory {standing.id} is no longer current")
            used = self._observed_again(self._reinforcement.accessed(standing, at, profile=profile), draft, at)
            confidence = self._beliefs.moved(standing.confidence, Evidence.ENRICH)
            return replace(used, text=plan.text or draft.text, confidence=confidence)

        memory = await self._revise.rewritten(
            user_id, plan.old, enriched, action=Action.ENRICH, reason=plan.verdict.reason, at=at
        )
        if retelling := self._retelling(user_id, draft, memory.id, at):
            await self._memories.transform(user_id, [], lambda *_: Transformation(), at=at, receipts=retelling)
        return memory

    def _retelling(
        self, user_id: UserId, draft: CheckedDraft, memory_id: MemoryId, at: datetime
    ) -> tuple[Receipt, ...]:
        """What keeps in mind that a keyed draft was known, and by which memory."""
        if draft.idempotency_key is None:
            return ()
        receipt = Receipt(
            id=retelling_id(user_id, draft.idempotency_key),
            user_id=user_id,
            at=at,
            expires_at=at + timedelta(days=self._settings.keys_days),
            hit_ids=(memory_id,),
            scores=(1.0,),
        )
        return (receipt,)

    def _retired(self, standing: Memory, new: Memory, plan: Plan, at: datetime) -> Transformed:
        if not standing.is_current(at):
            raise ConflictError(f"memory {standing.id} is no longer current")
        assert plan.verdict.conflict is not None
        after = self._succession.contradicted(
            standing,
            by=new.category,
            conflict=plan.verdict.conflict,
            valid_at=new.interval.valid_at,
            at=at,
        )
        negated, reason = plan.verdict.conflict is Conflict.NEGATE, plan.verdict.reason
        penalty = penalty_change(
            self._ids.new(), standing, after, Action.CONTRADICT if negated else Action.WEAKEN, at, reason=reason
        )
        belief = self._belief(standing, after, Action.NEGATE if negated else Action.SUPERSEDE, reason, at)
        return Transformed(after, (penalty, belief))

    def _observed_again(self, known: Memory, draft: CheckedDraft, at: datetime) -> Memory:
        """An observation, made once more; any other memory as it is."""
        if known.horizon is not Horizon.MEDIUM:
            return known
        gap = timedelta(minutes=self._settings.session_gap_minutes)
        seen = replace(
            known,
            observed=known.evidence.again(at, session_gap=gap),
            confirmed=known.confirmed or draft.confirmed,
        )
        if draft.horizon is not Horizon.LONG:
            return seen
        return replace(
            seen,
            horizon=Horizon.LONG,
            category=known.category if draft.category is Category.OTHER else draft.category,
            source=Source.USER_STATED if draft.source is Source.USER_STATED else known.source,
        )

    def _belief(self, before: Memory, after: Memory, action: Action, reason: str | None, at: datetime) -> Change:
        return belief_change(self._ids.new(), before, after, action, at, reason=reason, actor="system")


def can_be_replanned(plan: Plan, error: object) -> bool:
    """Whether a write failed only because what it took the place of had moved on meanwhile."""
    return isinstance(error, ConflictError) and plan.old is not None


def statement_of(memory: Memory) -> Statement:
    """What a judgement needs of a stored memory."""
    return Statement(
        text=memory.text,
        kind=memory.kind,
        subjects=_subjects(memory.given_people, memory.given_entities),
        speaker=_voice(memory.speaker),
        bucket=memory.bucket,
        occurred_at=memory.occurred_at,
        valid_at=memory.interval.valid_at,
        created_at=memory.interval.created_at,
    )


def _statement_of_draft(draft: CheckedDraft, at: datetime) -> Statement:
    valid_at = draft.valid_at or draft.occurred_at or at
    return Statement(
        text=draft.text,
        kind=draft.kind,
        subjects=_subjects(draft.people, draft.entities),
        speaker=_voice(draft.speaker),
        bucket=draft.bucket,
        occurred_at=draft.occurred_at or valid_at,
        valid_at=valid_at,
        created_at=at,
    )


def _subjects(people: Sequence[str], entities: Sequence[str]) -> frozenset[str]:
    return frozenset(map(name_key, (*people, *entities)))


def _voice(speaker: str | None) -> str | None:
    """Who speaks; None is the user, by whatever word."""
    return None if speaker is None or is_user(speaker) else speaker
