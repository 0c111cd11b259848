"""What a recall is asked, and what it answers, with the reasons."""

from datetime import datetime

import strawberry

from api.context import ApiContext
from api.fields import output, taken
from api.given import given, given_list, raise_problems
from api.memories import Memory
from graph_memory.domain.vocabulary import Category, Kind, Lane
from graph_memory.errors import Problem
from graph_memory.ports import Hit as StoredHit
from graph_memory.services.recall import Answer, Question
from graph_memory.settings import RecallSettings


@taken
class RecallInput:
    """A question, and within which bounds it is answered. Lists mean: any of these."""

    query: str
    k: int | None = strawberry.UNSET
    bucket: str | None = strawberry.UNSET
    lanes: list[Lane] | None = strawberry.UNSET
    kinds: list[Kind] | None = strawberry.UNSET
    people: list[str] | None = strawberry.UNSET
    entities: list[str] | None = strawberry.UNSET
    categories: list[Category] | None = strawberry.UNSET
    tags: list[str] | None = strawberry.UNSET
    buckets: list[str] | None = strawberry.UNSET
    session_id: str | None = strawberry.UNSET
    agent_id: str | None = strawberry.UNSET
    occurred_from: datetime | None = strawberry.UNSET
    occurred_until: datetime | None = strawberry.UNSET
    as_of: datetime | None = strawberry.field(
        default=strawberry.UNSET, description="Believed to hold then, as known at `knownAt`; each is now by default."
    )
    known_at: datetime | None = strawberry.UNSET
    include_superseded: bool | None = False
    include_hidden: bool | None = False
    reinforce: bool | None = strawberry.field(
        default=True, description="Whether every hit counts as used; never with `asOf` or `knownAt`."
    )

    async def question(self, context: ApiContext) -> Question:
        """What the service is asked. Raises InvalidValueError."""
        return Question(
            query=self.query,
            k=given(self.k),
            buckets=self._all_buckets(),
            lanes=given_list(self.lanes),
            kinds=given_list(self.kinds),
            categories=given_list(self.categories),
            people=given_list(self.people),
            entities=given_list(self.entities),
            tags=given_list(self.tags),
            session_id=given(self.session_id),
            agent_id=given(self.agent_id),
            occurred_from=await context.instant("occurredFrom", given(self.occurred_from)),
            occurred_until=await context.instant("occurredUntil", given(self.occurred_until)),
            as_of=await context.instant("asOf", given(self.as_of)),
            known_at=await context.instant("knownAt", given(self.known_at)),
            include_superseded=bool(self.include_superseded),
            include_hidden=bool(self.include_hidden),
            reinforce=self.reinforce is not False,
        )

    def _all_buckets(self) -> tuple[str, ...] | None:
        one, several = given(self.bucket), given_list(self.buckets)
        if one is not None and several is not None:
            raise_problems("recall", [Problem("bucket", "cannot be given together with buckets")])
        return several if one is None else (one,)


@output
class ScorePart:
    """One addend of a score: value times weight, or what a factor changed."""

    name: str
    value: float
    weight: float
    contribution: float


@output
class Why:
    """Why a memory was found. A rank counts from 1; null: that search did not find it."""

    vector_rank: int | None = strawberry.field(description="By the meaning of its text.")
    context_vector_rank: int | None = strawberry.field(description="By the meaning of its text among its neighbours.")
    text_rank: int | None = strawberry.field(description="By the words of its text, its names and its date.")
    context_text_rank: int | None = strawberry.field(description="By the words of its neighbours.")
    parts: list[ScorePart] = strawberry.field(description="Their contributions add up to the score.")
    text: str = strawberry.field(description="The same in one line.")


@output
class Hit:
    """One memory of an answer. The score only orders."""

    memory: Memory
    score: float
    rank: int
    why: Why


@output
class LaneSection:
    """The hits of one lane."""

    lane: Lane
    hits: list[Hit]


@output
class RecallResult:
    """An answer: hits with the best first, and the same hits by lane."""

    receipt_id: strawberry.ID
    k: int
    hits: list[Hit]
    lanes: list[LaneSection]
    took_ms: float

    @classmethod
    def of(cls, answer: Answer, *, took_ms: float, settings: RecallSettings) -> "RecallResult":
        """The API type of an answer."""
        hits = {hit.memory.id: _hit(hit, rank, settings) for rank, hit in enumerate(answer.hits, start=1)}
        return cls(
            receipt_id=strawberry.ID(answer.receipt_id),
            k=answer.k,
            hits=list(hits.values()),
            lanes=[
                LaneSection(lane=lane, hits=[hits[hit.memory.id] for hit in section])
                for lane, section in answer.lanes().items()
            ],
            took_ms=took_ms,
        )


def _hit(hit: StoredHit, rank: int, settings: RecallSettings) -> Hit:
    why = Why(
        vector_rank=hit.semantic_rank,
        context_vector_rank=hit.context_vector_rank,
        text_rank=hit.lexical_rank,
        context_text_rank=hit.context_rank,
        parts=_parts(hit, settings),
        text=_reason(hit),
    )
    return Hit(memory=Memory.of(hit.memory), score=hit.score, rank=rank, why=why)


def _parts(hit: StoredHit, settings: RecallSettings) -> list[ScorePart]:
    """The lists that found it, then what the subject took away and what neighbours in the session added."""
    ranks = (
        ("vector", "semantic", hit.semantic_rank),
        ("contextVector", "context_vector", hit.context_vector_rank),
        ("text", "lexical", hit.lexical_rank),
        ("contextText", "context", hit.context_rank),
    )
    parts = [
        _part(name, value=1.0 / (settings.rrf_k + rank), weight=settings.channel_weights[channel])
        for name, channel, rank in ranks
        if rank is not None
    ]
    if hit.subject != 1.0:
        lost = hit.fused * (hit.subject - 1.0)
        parts.append(ScorePart(name="subject", value=hit.subject, weight=hit.fused, contribution=lost))
    if hit.sequence and settings.sequence_weight:
        parts.append(_part("sequence", value=hit.sequence / settings.sequence_weight, weight=settings.sequence_weight))
    return parts


def _part(name: str, *, value: float, weight: float) -> ScorePart:
    return ScorePart(name=name, value=value, weight=weight, contribution=value * weight)


def _reason(hit: StoredHit) -> str:
    ranks = (
        ("by meaning", hit.semantic_rank),
        ("by words", hit.lexical_rank),
        ("by the meaning of its surroundings", hit.context_vector_rank),
        ("by the words around it", hit.context_rank),
    )
    reasons = [f"no. {rank} {how}" for how, rank in ranks if rank is not None]
    if hit.subject != 1.0:
        reasons.append(f"about someone else (× {hit.subject:g})")
    if hit.sequence:
        reasons.append(f"next to a good hit in its session (+ {hit.sequence:.3f})")
    return ", ".join(reasons)
