"""What a recall is asked, and what it answers, with the reasons."""

from datetime import datetime

import strawberry

from api.context import ApiContext
from api.fields import output, taken
from api.given import given, given_list, raise_problems
from api.memories import Memory
from graph_memory.domain.depth import Depth
from graph_memory.domain.link import LinkType
from graph_memory.domain.vocabulary import Category, Channel, Intent, Kind, Lane, RecallMode
from graph_memory.errors import Problem
from graph_memory.ports import Hit as StoredHit
from graph_memory.ports import PathStep as StoredStep
from graph_memory.ports import ScorePart as StoredPart
from graph_memory.services.reasons import reason
from graph_memory.services.recall import Answer, Question


@taken
class RecallInput:
    """A question, and within which bounds it is answered. Lists mean: any of these."""

    query: str
    k: int | None = strawberry.field(
        default=strawberry.UNSET, description="Most hits; by default as many as the question and the mode ask for."
    )
    mode: RecallMode | None = strawberry.UNSET
    intent: Intent | None = strawberry.field(
        default=strawberry.UNSET, description="Which links count most; by default read from the question."
    )
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
    schema_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Only what this schema abstracts."
    )
    occurred_from: datetime | None = strawberry.UNSET
    occurred_until: datetime | None = strawberry.UNSET
    general: bool | None = strawberry.field(default=True, description="With an overlay from the general bucket.")
    as_of: datetime | None = strawberry.field(
        default=strawberry.UNSET, description="Believed to hold then, as known at `knownAt`; each is now by default."
    )
    known_at: datetime | None = strawberry.UNSET
    include_superseded: bool | None = False
    include_hidden: bool | None = False
    min_match: float | None = strawberry.field(
        default=strawberry.UNSET, description="The least match of a hit, 0 to 1; nothing is better than a poor answer."
    )
    token_budget: int | None = strawberry.field(
        default=strawberry.UNSET, description="Most tokens of the context; by default the mode's."
    )
    reinforce: bool | None = strawberry.field(
        default=True, description="Whether every hit counts as used; never with `asOf` or `knownAt`."
    )
    seed: int | None = strawberry.field(
        default=strawberry.UNSET, description="Of a creative draw: the same seed draws the same."
    )

    async def question(self, context: ApiContext) -> Question:
        """What the service is asked. Raises InvalidValueError."""
        return Question(
            query=self.query,
            k=given(self.k),
            mode=given(self.mode),
            intent=given(self.intent),
            buckets=self._all_buckets(),
            lanes=given_list(self.lanes),
            kinds=given_list(self.kinds),
            categories=given_list(self.categories),
            people=given_list(self.people),
            entities=given_list(self.entities),
            tags=given_list(self.tags),
            session_id=given(self.session_id),
            agent_id=given(self.agent_id),
            schema_id=given(self.schema_id),
            occurred_from=await context.instant("occurredFrom", given(self.occurred_from)),
            occurred_until=await context.instant("occurredUntil", given(self.occurred_until)),
            as_of=await context.instant("asOf", given(self.as_of)),
            known_at=await context.instant("knownAt", given(self.known_at)),
            include_superseded=bool(self.include_superseded),
            include_hidden=bool(self.include_hidden),
            general=self.general is not False,
            min_match=given(self.min_match),
            token_budget=given(self.token_budget),
            reinforce=self.reinforce is not False,
            seed=given(self.seed),
        )

    def _all_buckets(self) -> tuple[str, ...] | None:
        one, several = given(self.bucket), given_list(self.buckets)
        if one is not None and several is not None:
            raise_problems("recall", [Problem("bucket", "cannot be given together with buckets")])
        return several if one is None else (one,)


@taken
class FeedbackInput:
    """What came of an answer: hits that were of use, and hits that misled."""

    receipt_id: strawberry.ID
    used: list[strawberry.ID] | None = strawberry.UNSET
    misleading: list[strawberry.ID] | None = strawberry.UNSET


@output
class ScorePart:
    """One addend of a score: value times weight."""

    name: str
    value: float
    weight: float
    contribution: float

    @classmethod
    def of(cls, part: StoredPart) -> "ScorePart":
        """The API type of a part."""
        return cls(name=part.name, value=part.value, weight=part.weight, contribution=part.contribution)


@output
class PathStep:
    """One step that activation took over a link on its way to a memory."""

    node_id: strawberry.ID = strawberry.field(description="What the step reached.")
    hop: int = strawberry.field(description="From 1.")
    link_type: LinkType
    weight: float = strawberry.field(description="Of the link.")
    gain: float = strawberry.field(description="What the intent makes of the link's family.")
    activation: float = strawberry.field(description="Of what the step reached.")
    reason: str | None = strawberry.field(description="Why the link was made.")

    @classmethod
    def of(cls, step: StoredStep) -> "PathStep":
        """The API type of a step."""
        return cls(
            node_id=strawberry.ID(step.node_id),
            hop=step.hop,
            link_type=step.link_type,
            weight=step.weight,
            gain=step.gain,
            activation=step.activation,
            reason=step.reason,
        )


@output
class Why:
    """Why a memory was found. A rank counts from 1; null: that search did not find it."""

    vector_rank: int | None = strawberry.field(description="By the meaning of its text.")
    context_vector_rank: int | None = strawberry.field(description="By the meaning of its text among its neighbours.")
    text_rank: int | None = strawberry.field(description="By the words of its text, its names and its date.")
    context_text_rank: int | None = strawberry.field(description="By the words of its neighbours.")
    signal_rank: int | None = strawberry.field(description="By how ready and how far believed it is.")
    graph_rank: int | None = strawberry.field(description="By links from the best hits.")
    parts: list[ScorePart] = strawberry.field(description="Their contributions add up to the score.")
    path: list[PathStep] = strawberry.field(description="How links led to it; empty when none did.")
    text: str = strawberry.field(description="The same in one line.")

    @classmethod
    def of(cls, hit: StoredHit) -> "Why":
        """The reasons for a hit."""
        return cls(
            vector_rank=hit.ranks.get(Channel.SEMANTIC),
            context_vector_rank=hit.ranks.get(Channel.CONTEXT_VECTOR),
            text_rank=hit.ranks.get(Channel.LEXICAL),
            context_text_rank=hit.ranks.get(Channel.CONTEXT),
            signal_rank=hit.ranks.get(Channel.SIGNAL),
            graph_rank=hit.ranks.get(Channel.GRAPH),
            parts=[ScorePart.of(part) for part in hit.parts],
            path=[PathStep.of(step) for step in hit.path],
            text=reason(hit),
        )


@output
class Hit:
    """One memory of an answer. The score only orders."""

    memory: Memory
    score: float
    match: float = strawberry.field(description="0 to 1: the cosine, or the share of the question's words in it.")
    rank: int
    why: Why

    @classmethod
    def of(cls, hit: StoredHit, rank: int) -> "Hit":
        """The API type of a hit."""
        return cls(memory=Memory.of(hit.memory), score=hit.score, match=hit.match, rank=rank, why=Why.of(hit))


@output
class LaneSection:
    """The hits of one lane."""

    lane: Lane
    hits: list[Hit]


@output
class RecallResult:
    """An answer: hits with the best first, and the same hits by lane."""

    receipt_id: strawberry.ID
    intent: Intent
    mode: RecallMode
    k: int
    complexity: float = strawberry.field(description="Of the question, 0 to 1.")
    depth: Depth
    hits: list[Hit]
    lanes: list[LaneSection]
    overlay: list[Hit] = strawberry.field(description="From the general bucket, best first; none of them a hit above.")
    context: str = strawberry.field(description="The answer as text for a prompt, fenced as data, within the budget.")
    tokens: int = strawberry.field(description="About how many tokens the context is.")
    took_ms: float

    @classmethod
    def of(cls, answer: Answer, *, took_ms: float) -> "RecallResult":
        """The API type of an answer."""
        hits = {hit.memory.id: Hit.of(hit, rank) for rank, hit in enumerate(answer.hits, start=1)}
        return cls(
            receipt_id=strawberry.ID(answer.receipt_id),
            intent=answer.intent,
            mode=answer.mode,
            k=answer.k,
            complexity=answer.complexity,
            depth=answer.depth,
            hits=list(hits.values()),
            lanes=[
                LaneSection(lane=lane, hits=[hits[hit.memory.id] for hit in section])
                for lane, section in answer.lanes().items()
            ],
            overlay=[Hit.of(hit, rank) for rank, hit in enumerate(answer.overlay, start=1)],
            context=answer.context,
            tokens=answer.tokens,
            took_ms=took_ms,
        )
