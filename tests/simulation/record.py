"""What a life played through the product leaves to be looked at."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Count
from graph_memory.domain.vocabulary import MemoryId
from tests.simulation.life import Asked, Purpose


class Found(StrEnum):
    """What an answer held of a topic."""

    TRUE = "true"  # what holds
    BOTH = "both"  # what holds and what no longer does
    PAST = "past"  # only what no longer holds
    NEITHER = "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An answer in the default mode: which memories it held, best first."""

    at: datetime
    ids: tuple[MemoryId, ...]
    tokens: int  # of its text for a prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """The answer to a question about a topic, seen against what is true then."""

    asked: Asked
    true_rank: int | None  # of the memory that holds what is true, from 1
    past_ranks: tuple[int, ...]  # of memories that hold what was true before
    echo_ranks: tuple[int, ...]  # of chat turns in which what was true before was told
    changed_by: str | None  # how the value that holds was told; None: it is the first

    @property
    def probe(self) -> bool:
        return self.asked.purpose is Purpose.PROBE

    @property
    def found(self) -> Found:
        if self.true_rank is None:
            return Found.PAST if self.past_ranks else Found.NEITHER
        return Found.BOTH if self.past_ranks else Found.TRUE

    @property
    def true_first(self) -> bool:
        """Whether what is true stands above everything that no longer is."""
        return self.true_rank is not None and all(self.true_rank < rank for rank in self.past_ranks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """How the memories stand at an instant."""

    at: datetime
    memories: int
    by_state: Mapping[str, int]
    by_tier: Mapping[str, int]
    by_kind: Mapping[str, int]
    hidden: int
    superseded: int
    links: int
    strengths: tuple[float, ...]  # of every current memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """How long the text was that an agent was told at the start of a chat."""

    at: datetime
    tokens: int
    budget: int


@dataclass(slots=True, kw_only=True)
class Played:
    """The whole of it."""

    ids: dict[str, MemoryId] = field(default_factory=dict)  # of what was stated, by key
    shown: list[Shown] = field(default_factory=list)
    replies: list[Replied] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    contexts: list[Context] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)  # of the laws that are looked at on the way
    calls: Counter[str] = field(default_factory=Counter)  # what the year cost: of the product, of the models
    calls_by_month: dict[str, Counter[str]] = field(default_factory=dict)
    reported: Counter[Count] = field(default_factory=Counter)  # what the runs of sleep say they did
    failed: list[str] = field(default_factory=list)  # runs that did not end well
    missed: list[str] = field(default_factory=list)  # changes that the memory should have seen by itself and did not
    memories: tuple[Memory, ...] = ()  # all of them, at the end
