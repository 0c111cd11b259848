"""The decision ledger: decide, record what came of it, and ask why (constants.md 2.6, operations.md, Decisions)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory.domain.change import Action, Change, supersede_change
from graph_memory.domain.contradiction import denies
from graph_memory.domain.dates import in_utc
from graph_memory.domain.decision import Decision, DecisionStatus, Outcome, head_key, topic_key
from graph_memory.domain.draft import (
    CheckedDraft,
    date_problems,
    distinct_names,
    identifier_problems,
    name_problems,
    reason_problems,
)
from graph_memory.domain.index_terms import index_query_terms
from graph_memory.domain.memory import Memory
from graph_memory.domain.sameness import hash_of
from graph_memory.domain.statement import Wording, read
from graph_memory.domain.succession import SuccessionRules, reversed_outcome
from graph_memory.domain.text import text_problems, words
from graph_memory.domain.vocabulary import (
    DEFAULT_BUCKET,
    GENERAL_BUCKET,
    Category,
    EpistemicType,
    Horizon,
    Kind,
    Lane,
    MemoryId,
    Source,
    UserId,
)
from graph_memory.errors import ConflictError, GraphMemoryError, InvalidValueError, NotFoundError, Problem
from graph_memory.ports import (
    ChainMember,
    Clock,
    DecisionFilter,
    Floats,
    Ids,
    LedgerStore,
    MemoryStore,
    NewMemory,
    Succession,
    Transformation,
    Transformed,
)
from graph_memory.services.birth import as_new, newborn
from graph_memory.services.encode import Encode, Encoded
from graph_memory.services.enrich import Enrich
from graph_memory.services.inspect import Inspect
from graph_memory.services.paging import Page, Paging
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

_TRIES = 64  # of many who decide at once, each sees the one before it and supersedes that


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionDraft:
    """A decision as the caller gave it; None means the default."""

    text: str
    reasoning: str | None = None
    domain: str | None = None
    topic: str | None = None
    decided_at: datetime | None = None
    supersedes: str | None = None
    idempotency_key: str | None = None
    bucket: str | None = None
    source: Source = Source.USER_STATED
    speaker: str | None = None
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision that was entered, what it took the place of, and earlier ones of its domain that are near it."""

    memory: Memory
    earlier: tuple[Memory, ...]
    superseded: tuple[Memory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionsWanted:
    """Which decisions a list shall have; None asks nothing."""

    domain: str | None = None
    topic: str | None = None
    status: DecisionStatus | None = None
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStep:
    """One step of a chain, oldest first."""

    memory: Memory
    position: int  # from 0; ancestors that were merged into one stand at one position
    current: bool
    superseded_at: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """How a decision came to be what it is."""

    domain: str
    topic_key: str
    steps: tuple[ChainStep, ...]


class Ledger:
    """Keeps decisions."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        ledger: LedgerStore,
        inspect: Inspect,
        encode: Encode,
        enrich: Enrich,
        rules: SuccessionRules,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._memories, self._ledger, self._inspect = memories, ledger, inspect
        self._encode, self._enrich, self._rules = encode, enrich, rules
        self._clock, self._ids, self._settings = clock, ids, settings

    async def decide(self, user_id: UserId, draft: DecisionDraft) -> Decided:
        """Enters a decision; the head of its topic gives way. Raises InvalidValueError, NotFoundError, ConflictError.

        Without a topic one is made from the id, unless the decision supersedes one, whose topic it then goes on with.
        """
        decided = await self.enter(user_id, replace(draft, source=Source.USER_STATED))
        assert decided is not None  # the user states a decision: no tombstone vetoes it
        return decided

    async def enter(self, user_id: UserId, draft: DecisionDraft) -> Decided | None:
        """The same for a decision of any source; None where its text was erased and the user does not state it."""
        if problems := list(self._problems(draft)):
            raise InvalidValueError("decision", problems)
        named = await self._named(user_id, draft.supersedes)
        [encoded] = await self._encode([draft.text])
        for attempt in range(_TRIES):
            new = await self._new(user_id, draft, encoded, named)
            [written] = await self._memories.add([new])
            if not isinstance(written, ConflictError):
                break
            if named is not None and not (await self._inspect.memory(user_id, named.id)).is_current(self._clock.now()):
                raise ConflictError(f"decision {named.id} is no longer current")
            if attempt == _TRIES - 1:
                raise written
        if isinstance(written, GraphMemoryError):
            raise written
        if written.memory_id is None:
            return None
        self._enrich.nudge()
        memory = await self._inspect.memory(user_id, written.memory_id)
        return Decided(
            memory=memory,
            earlier=await self._earlier(user_id, memory, encoded.vector),
            superseded=written.superseded,
        )

    async def record_outcome(
        self, user_id: UserId, memory_id: str, outcome: Outcome, *, reason: str | None = None
    ) -> Memory:
        """Says what came of a decision. Raises NotFoundError, InvalidValueError."""
        memory = await self._inspect.memory(user_id, memory_id)
        problems = list(reason_problems(reason, self._settings.limits))
        if memory.decision is None:
            problems.append(Problem("id", "is no decision"))
        if problems:
            raise InvalidValueError("outcome", problems)
        now = self._clock.now()

        def recorded(found: Mapping[MemoryId, Memory], _: frozenset[str]) -> Transformation:
            before = found.get(memory.id)
            if before is None or before.decision is None or before.decision.outcome is outcome:
                return Transformation()
            after = replace(before, decision=replace(before.decision, outcome=outcome))
            change = Change(
                id=self._ids.new(),
                target_id=memory.id,
                at=now,
                action=Action.OUTCOME,
                field="outcome",
                before=before.decision.outcome.value,
                after=outcome.value,
                reason=reason,
            )
            return Transformation((Transformed(after, (change,)),))

        found = await self._memories.transform(user_id, [memory.id], recorded, at=now)
        if memory.id not in found:
            raise NotFoundError("memory", memory_id)
        return found[memory.id]

    async def decisions(
        self,
        user_id: UserId,
        asked: DecisionsWanted | None = None,
        *,
        first: int | None = None,
        after: str | None = None,
    ) -> Page[Memory]:
        """One page of decisions, the latest first, as believed at `as_of`."""
        asked = asked or DecisionsWanted()
        wanted, instant = self._filter(asked), await self._instant(user_id, asked.as_of)
        return await Paging(user_id, f"decisions {wanted} {instant}", self._settings.pages).forward_page(
            first,
            after,
            lambda start, limit: self._ledger.decisions(
                user_id, wanted, as_of=instant, known_at=self._clock.now(), after=start, limit=limit
            ),
        )

    async def count_decisions(self, user_id: UserId, asked: DecisionsWanted) -> int:
        """How many decisions such a list has."""
        wanted, instant = self._filter(asked), await self._instant(user_id, asked.as_of)
        return await self._ledger.count(user_id, wanted, as_of=instant, known_at=self._clock.now())

    async def why(
        self,
        user_id: UserId,
        topic: str,
        *,
        domain: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> list[Chain]:
        """The chains of a topic; where no topic is called so, those of the decisions that its words find best."""
        self._check_names(topic=topic, domain=domain)
        known = await self._instant(user_id, known_at) or self._clock.now()
        world = await self._instant(user_id, as_of)
        ids = await self._ledger.topics(
            user_id, topic_key(topic), domain_key=domain and topic_key(domain), known_at=known
        ) or await self._ledger.by_words(
            user_id,
            words(topic),
            index_query_terms(topic, most_guessed=self._settings.recall.guessed_stems),
            known_at=known,
            limit=self._settings.ledger.why_chains,
        )
        chains: dict[tuple[MemoryId, ...], Chain] = {}
        for memory_id in ids:
            steps = await self._steps(user_id, memory_id, as_of=world, known_at=known)
            decision = next((step.memory.decision for step in reversed(steps) if step.memory.decision), None)
            if decision is not None:
                chains.setdefault(
                    tuple(step.memory.id for step in steps),
                    Chain(domain=decision.domain, topic_key=decision.topic_key, steps=tuple(steps)),
                )
        return list(chains.values())

    async def chain(self, user_id: UserId, memory_id: str) -> list[ChainStep]:
        """The supersession chain of any of its members, oldest first. Raises NotFoundError."""
        memory = await self._inspect.memory(user_id, memory_id)
        return await self._steps(user_id, memory.id, as_of=None, known_at=self._clock.now())

    async def _steps(
        self, user_id: UserId, memory_id: MemoryId, *, as_of: datetime | None, known_at: datetime
    ) -> list[ChainStep]:
        members = await self._ledger.chain(user_id, memory_id, known_at=known_at)
        told = [
            member
            for member in members
            if member.memory.interval.created_at <= known_at
            and (as_of is None or member.memory.interval_known(known_at).valid_at <= as_of)
        ]
        return ordered_steps(told, as_of=as_of or known_at, known_at=known_at)

    async def _named(self, user_id: UserId, identifier: str | None) -> Memory | None:
        if identifier is None:
            return None
        named = await self._inspect.memory(user_id, identifier)
        if named.decision is None:
            raise InvalidValueError("decision", [Problem("supersedes", "is no decision")])
        if not named.is_current(self._clock.now()):
            raise ConflictError(f"decision {named.id} is not current")
        return named

    async def _new(self, user_id: UserId, draft: DecisionDraft, encoded: Encoded, named: Memory | None) -> NewMemory:
        """The decision as a new memory, with what it takes the place of as things stand now."""
        user = await self._inspect.settings(user_id)
        zone, now = zone_of(user.time_zone), self._clock.now()
        inherited = named.decision if named else None
        domain = draft.domain or (inherited.domain if inherited else self._settings.ledger.default_domain)
        decided_at = in_utc(draft.decided_at, zone=zone) if draft.decided_at else now
        born = newborn(
            _checked(draft, decided_at, confidence=self._confidence(draft)),
            user_id=user_id,
            encoded=encoded,
            now=now,
            zone=zone,
            user=user,
            ids=self._ids,
            settings=self._settings,
        )
        topic = draft.topic or (inherited.topic_key if inherited else born.memory.id)
        decision = Decision(domain=domain, topic_key=topic_key(topic), reasoning=draft.reasoning)
        memory = replace(born.memory, decision=decision)
        memory = replace(memory, content_hash=hash_of(memory))
        head = await self._ledger.head(user_id, head_key(domain, topic)) if draft.topic or inherited else None
        standing = [each for each in (head, named) if each and each.content_hash != memory.content_hash]
        replaced = {each.id: each for each in standing}
        return as_new(
            memory,
            idempotency_key=draft.idempotency_key,
            embedding=encoded.vector,
            zone=zone,
            user=user,
            change=born.change,
            successions=tuple(self._succession(old, memory, draft.reasoning, now) for old in replaced.values()),
        )

    def _confidence(self, draft: DecisionDraft) -> float:
        """What the user decides is believed more than what was found in their words."""
        if draft.source is Source.USER_STATED:
            return self._settings.ledger.decision_confidence
        return self._settings.salience.initial_confidence[EpistemicType.FACT]

    def _succession(self, old: Memory, new: Memory, reason: str | None, now: datetime) -> Succession:
        def retire(standing: Memory) -> Transformed:
            if not standing.is_current(now):
                raise ConflictError(f"decision {standing.id} is not current")
            after = self._rules.superseded(standing, invalid_at=new.interval.valid_at, at=now)
            if denies(read(new.text, Wording()), read(standing.text, Wording())):
                after = reversed_outcome(after)
            change = supersede_change(self._ids.new(), standing, after, now, reason=reason)
            return Transformed(after, (change,))

        return Succession(old_id=old.id, retire=retire, reason=reason)

    async def _earlier(self, user_id: UserId, memory: Memory, vector: Floats) -> tuple[Memory, ...]:
        assert memory.decision is not None
        near = await self._ledger.near(
            user_id,
            vector,
            domain_key=topic_key(memory.decision.domain),
            least_cosine=self._settings.recall.proactive_cosine,
            at=self._clock.now(),
            limit=self._settings.ledger.earlier_shown + 1,
        )
        others = [each for each in near if each.id != memory.id]
        return tuple(others[: self._settings.ledger.earlier_shown])

    def _problems(self, draft: DecisionDraft) -> Iterable[Problem]:
        limits = self._settings.limits
        yield from text_problems("text", draft.text, most_characters=limits.text_characters)
        if draft.reasoning is not None:
            yield from text_problems("reasoning", draft.reasoning, most_characters=limits.text_characters)
        yield from identifier_problems("domain", draft.domain, limits)
        yield from identifier_problems("topic_key", draft.topic, limits)
        yield from identifier_problems("bucket", draft.bucket, limits)
        yield from identifier_problems("idempotency_key", draft.idempotency_key, limits)
        yield from name_problems("speaker", (draft.speaker,), limits)
        yield from name_problems("people", draft.people, limits)
        yield from date_problems("decided_at", draft.decided_at)

    def _filter(self, asked: DecisionsWanted) -> DecisionFilter:
        self._check_names(domain=asked.domain, topic=asked.topic)
        return DecisionFilter(
            domain_key=asked.domain and topic_key(asked.domain),
            topic_key=asked.topic and topic_key(asked.topic),
            status=asked.status,
        )

    async def _instant(self, user_id: UserId, given: datetime | None) -> datetime | None:
        """The instant in UTC; one without an offset is read in the user's zone."""
        if given is None or given.tzinfo is not None:
            return given and in_utc(given)
        return in_utc(given, zone=zone_of((await self._inspect.settings(user_id)).time_zone))

    def _check_names(self, **names: str | None) -> None:
        problems = [
            problem
            for field, name in names.items()
            for problem in identifier_problems(field, name, self._settings.limits)
        ]
        if problems:
            raise InvalidValueError("ledger", problems)


def ordered_steps(members: Sequence[ChainMember], *, as_of: datetime, known_at: datetime) -> list[ChainStep]:
    """The members from the first to the head; a position counts the steps to the head, those of a merge alike."""
    by_id = {member.memory.id: member for member in members}
    depths: dict[MemoryId, int] = {}
    for member in members:
        path: list[MemoryId] = []
        here: MemoryId | None = member.memory.id
        while here is not None and here not in depths and here in by_id:
            path.append(here)
            here = by_id[here].successor_id
        depth = depths.get(here, -1) if here is not None else -1
        for memory_id in reversed(path):
            depth += 1
            depths[memory_id] = depth
    deepest = max(depths.values(), default=0)
    steps = [
        ChainStep(
            memory=member.memory,
            position=deepest - depths[member.memory.id],
            current=member.memory.believed(as_of=as_of, known_at=known_at),
            superseded_at=member.superseded_at,
            reason=member.reason,
        )
        for member in members
    ]
    return sorted(steps, key=lambda step: (step.position, step.memory.interval.valid_at, step.memory.id))


def _checked(draft: DecisionDraft, decided_at: datetime, *, confidence: float) -> CheckedDraft:
    bucket = draft.bucket or DEFAULT_BUCKET
    return CheckedDraft(
        text=draft.text,
        kind=Kind.DECISION,
        epistemic_type=EpistemicType.FACT,
        category=Category.DECISION,
        horizon=Horizon.LONG,
        bucket=bucket,
        lane=Lane.FACTS_PREFS,
        general=bucket == GENERAL_BUCKET,
        source=draft.source,
        confirmed=draft.source is Source.USER_STATED,
        confidence=confidence,
        speaker=draft.speaker,
        people=distinct_names(draft.people),
        occurred_at=decided_at,
        valid_at=decided_at,
        idempotency_key=draft.idempotency_key,
    )
