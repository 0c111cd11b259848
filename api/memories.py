"""A memory as the API shows it: stored fields, and pure functions of them for any instant."""

from collections.abc import Awaitable, Callable
from datetime import datetime

import strawberry

from api.context import ApiInfo
from api.fields import answers, output
from api.given import given, given_list
from api.history import ChangeConnection, NamedDate, Version
from api.links import LinkConnection
from api.names import Entity, Person, entity, person
from api.nodes import Node
from api.pages import PageInfo
from api.scalars import Json
from api.succession import ChainStep, DecisionDetails
from graph_memory.domain import tiers
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.link import LinkFamily, LinkType
from graph_memory.domain.memory import Emotion as StoredEmotion
from graph_memory.domain.memory import Memory as StoredMemory
from graph_memory.domain.names import NameKind
from graph_memory.domain.vocabulary import (
    Category,
    EnrichmentStatus,
    EpistemicType,
    Horizon,
    Kind,
    Lane,
    NodeId,
    Source,
    State,
    Tier,
)
from graph_memory.services.paging import Page


@output
class Emotion:
    """Plutchik's eight and arousal, each 0..1, and valence, -1..1."""

    joy: float
    trust: float
    fear: float
    surprise: float
    sadness: float
    disgust: float
    anger: float
    anticipation: float
    valence: float
    arousal: float

    @classmethod
    def of(cls, emotion: StoredEmotion) -> "Emotion":
        """The API type of a stored emotion."""
        return cls(**{name: getattr(emotion, name) for name in StoredEmotion.__dataclass_fields__})


@output
class Memory(Node):
    """One remembered item."""

    stored: strawberry.Private[StoredMemory]
    text: str
    kind: Kind
    epistemic_type: EpistemicType
    category: Category
    horizon: Horizon
    bucket: str
    lane: Lane
    general: bool
    source: Source
    confirmed: bool
    pinned: bool
    confidence: float
    visible_until: datetime | None = strawberry.field(description="When it fades from view; null: never.")
    dream_at: datetime | None
    forgotten_at: datetime | None
    archive_at: datetime | None
    labile_until: datetime | None
    access_count: int
    spaced_access_count: int
    last_accessed_at: datetime | None
    emotion: Emotion
    occurred_at: datetime | None
    valid_at: datetime
    invalid_at: datetime | None
    created_at: datetime
    expired_at: datetime | None
    enrichment: EnrichmentStatus
    speaker: str | None
    session_id: str | None
    agent_id: str | None
    tags: list[str]
    metadata: Json | None
    external_id: str | None
    named_dates: list[NamedDate] = strawberry.field(description="The days that its text names.")
    dates_told_at: datetime = strawberry.field(description="The instant from which they were reckoned.")

    @answers("How well it is stored, 0.05..2.")
    async def strength(self, info: ApiInfo, at: datetime | None = strawberry.UNSET) -> float:
        curve = info.context.services.settings.strength_curve()
        return curve.strength(self.stored.strength, await info.context.at(at))

    @answers("The share of its strength that is left, 0..1.")
    async def retention(self, info: ApiInfo, at: datetime | None = strawberry.UNSET) -> float:
        curve = info.context.services.settings.strength_curve()
        return curve.retention(self.stored.strength, await info.context.at(at))

    @answers("How ready it is, from the log of its uses; no fixed range.")
    async def activation(self, info: ApiInfo, at: datetime | None = strawberry.UNSET) -> float:
        curve = info.context.services.settings.activation_curve()
        return curve.base_level(self.stored.activation, await info.context.at(at))

    @answers("By age alone, 0.1..1; it decides the tier.")
    async def relevance(self, info: ApiInfo, at: datetime | None = strawberry.UNSET) -> float:
        profile, instant = await info.context.tier_profile(), await info.context.at(at)
        return tiers.relevance(self.stored.touched_at, instant, profile=profile, pinned=self.pinned)

    @answers("How available it is.")
    async def state(self, info: ApiInfo, at: datetime | None = strawberry.UNSET) -> State:
        return self.stored.states.state(await info.context.at(at))

    @answers("How far a search must reach; null when pinned.")
    async def tier(self, info: ApiInfo, at: datetime | None = strawberry.UNSET) -> Tier | None:
        profile, instant = await info.context.tier_profile(), await info.context.at(at)
        return tiers.tier(self.stored.touched_at, instant, profile=profile, pinned=self.pinned)

    @answers("Whether it has faded from the agent's view.")
    async def hidden(self, info: ApiInfo, at: datetime | None = strawberry.UNSET) -> bool:
        return self.stored.visible_until <= await info.context.at(at)

    @answers("The people it refers to, its speaker among them.")
    async def people(self, info: ApiInfo) -> list[Person]:
        found = await info.context.named_in.load(self.stored.id)
        return [person(node) for node in found if node.kind is NameKind.PERSON]

    @answers("The named things it refers to.")
    async def entities(self, info: ApiInfo) -> list[Entity]:
        found = await info.context.named_in.load(self.stored.id)
        return [entity(node) for node in found if node.kind is NameKind.ENTITY]

    @answers("Its links in both directions, the heaviest first.")
    async def links(
        self,
        info: ApiInfo,
        types: list[LinkType] | None = strawberry.UNSET,
        families: list[LinkFamily] | None = strawberry.UNSET,
        first: int | None = 20,
        after: str | None = strawberry.UNSET,
    ) -> LinkConnection:
        page = await info.context.services.inspect.links_of(
            info.context.user_id,
            NodeId(self.id),
            types=given_list(types),
            families=given_list(families),
            first=first,
            after=given(after),
        )
        return LinkConnection.of(page)

    @answers("What sleep drew it from, the oldest first; none for a memory that was told.")
    async def sources(self, info: ApiInfo) -> "list[Memory]":
        return [Memory.of(each) for each in await info.context.sources.load(self.stored.id)]

    @answers("Its earlier texts, the oldest first.")
    async def versions(self, info: ApiInfo) -> list[Version]:
        return [Version.of(each) for each in await info.context.versions.load(self.stored.id)]

    @answers("What happened to it, the latest first.")
    async def changes(
        self, info: ApiInfo, first: int | None = 20, after: str | None = strawberry.UNSET
    ) -> ChangeConnection:
        inspect, user_id = info.context.services.inspect, info.context.user_id
        return ChangeConnection.of(await inspect.changes_of(user_id, self.id, first=first, after=given(after)))

    @answers("What took its place.")
    async def superseded_by(self, info: ApiInfo) -> "Memory | None":
        successor = await info.context.successors.load(self.stored.id)
        return None if successor is None else Memory.of(successor)

    @answers("What it took the place of.")
    async def supersedes(self, info: ApiInfo) -> "list[Memory]":
        return [Memory.of(each) for each in await info.context.predecessors.load(self.stored.id)]

    @answers("All that took the place of each other up to now, the oldest first; it alone where nothing did.")
    async def supersession_chain(self, info: ApiInfo) -> list[ChainStep]:
        steps = await info.context.services.ledger.chain(info.context.user_id, self.id)
        return [ChainStep.of(each) for each in steps]

    @answers("What it has beside its text if it is a decision.")
    async def decision(self, info: ApiInfo) -> DecisionDetails | None:
        return DecisionDetails.of(self.stored, at=info.context.now)

    @classmethod
    def of(cls, memory: StoredMemory) -> "Memory":
        """The API type of a stored memory."""
        return cls(
            id=strawberry.ID(memory.id),
            stored=memory,
            text=memory.text,
            kind=memory.kind,
            epistemic_type=memory.epistemic_type,
            category=memory.category,
            horizon=memory.horizon,
            bucket=memory.bucket,
            lane=memory.lane,
            general=memory.general,
            source=memory.source,
            confirmed=memory.confirmed,
            pinned=memory.pinned,
            confidence=memory.confidence,
            visible_until=_open_end(memory.visible_until),
            dream_at=_open_end(memory.states.dream_at),
            forgotten_at=_open_end(memory.states.forgotten_at),
            archive_at=_open_end(memory.states.archive_at),
            labile_until=memory.labile_until,
            access_count=memory.access_count,
            spaced_access_count=memory.strength.spaced_access_count,
            last_accessed_at=memory.last_accessed_at,
            emotion=Emotion.of(memory.emotion),
            occurred_at=memory.occurred_at,
            valid_at=memory.interval.valid_at,
            invalid_at=_open_end(memory.interval.invalid_at),
            created_at=memory.interval.created_at,
            expired_at=_open_end(memory.interval.expired_at),
            enrichment=memory.enrichment,
            speaker=memory.speaker,
            session_id=memory.session_id,
            agent_id=memory.agent_id,
            tags=list(memory.tags),
            metadata=Json(dict(memory.metadata)),
            external_id=memory.external_id,
            named_dates=[NamedDate.of(each) for each in memory.named_dates],
            dates_told_at=memory.told_at,
        )


@output
class MemoryEdge:
    """A memory at its place in a list."""

    cursor: str
    node: Memory


@output
class MemoryConnection:
    """A page of memories."""

    edges: list[MemoryEdge]
    page_info: PageInfo
    count: strawberry.Private[Callable[[], Awaitable[int]]]

    @answers("How many pass the filter; counted only when asked.")
    async def total_count(self) -> int:
        return await self.count()

    @classmethod
    def of(cls, page: Page[StoredMemory], count: Callable[[], Awaitable[int]]) -> "MemoryConnection":
        """The API type of a page of memories."""
        edges = [
            MemoryEdge(cursor=cursor, node=Memory.of(memory))
            for cursor, memory in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page), count=count)


def _open_end(instant: datetime) -> datetime | None:
    return None if instant >= FAR_FUTURE else instant
