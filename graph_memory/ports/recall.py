"""What the core asks to be found."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graph_memory.domain.link import LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import (
    Category,
    Channel,
    Intent,
    Kind,
    Lane,
    MemoryId,
    NodeId,
    UserId,
)
from graph_memory.ports.world import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """One question, analysed; what the store needs to answer it."""

    vector: Floats  # shape (dimensions,), unit length
    words: tuple[str, ...]
    index_terms: tuple[str, ...]
    subject_keys: tuple[str, ...]
    k: int
    entity_keys: tuple[str, ...] = ()
    buckets: tuple[str, ...] | None = None
    lanes: tuple[Lane, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    categories: tuple[Category, ...] | None = None
    tags: tuple[str, ...] | None = None
    session_id: str | None = None
    agent_id: str | None = None
    name_keys: tuple[str, ...] | None = None
    occurred_from: datetime | None = None
    occurred_until: datetime | None = None
    known_at: datetime | None = None  # what was believed then; together with as_of
    as_of: datetime | None = None
    include_superseded: bool = False
    include_hidden: bool = False
    intent: Intent = Intent.GENERAL
    asks_when: bool = False
    asks_name: bool = False  # who, where, which
    days: tuple[tuple[datetime, datetime], ...] = ()  # when what the question dates is told: begin, end (not part), UTC
    overlay_k: int = 0  # 0: no overlay
    min_match: float = 0.0
    touched_after: datetime | None = None  # pinned, or used since
    include_archived: bool = True
    schema_id: MemoryId | None = None  # only what this schema abstracts


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One addend of a score."""

    name: str
    value: float
    weight: float

    @property
    def contribution(self) -> float:
        return self.value * self.weight


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """One step that activation took on its way to a memory."""

    node_id: NodeId  # what the step reached
    hop: int  # from 1
    link_type: LinkType
    weight: float
    gain: float
    activation: float  # of the node reached
    reason: str | None = None  # why the link was made


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory of an answer, with what put it there."""

    memory: Memory
    score: float  # only orders
    match: float  # 0..1: the cosine, or the share of the question's words in it
    cosine: float | None  # None: the vector channel did not find it
    ranks: Mapping[Channel, int]  # from 1; a channel that did not find it is left out
    parts: tuple[ScorePart, ...]  # their contributions add up to the score
    path: tuple[PathStep, ...] = ()  # how links led to it, from a seed's first neighbour on


@dataclass(frozen=True, slots=True)
class Found:
    """What a recall found."""

    hits: tuple[Hit, ...]  # best first
    overlay: tuple[Hit, ...] = ()  # of the general bucket, best first, none of them among the hits
    losers: tuple[MemoryId, ...] = ()  # near the question, but not in the answer
    traversed: tuple[str, ...] = ()  # ids of the links walked whose two ends are in the answer


class RecallStore(Protocol):
    """Searches memories."""

    async def recall(self, user_id: UserId, query: RecallQuery, *, at: datetime) -> Found:
        """At most k hits, best first, and at most overlay_k of the general bucket, in one statement."""

    async def sample(
        self, user_id: UserId, query: RecallQuery, *, touched_until: datetime, seed: int, at: datetime
    ) -> Found:
        """At most k memories untouched since, drawn alike likely; the same ones for the same seed."""
