"""What the core asks of the store when it settles what is known: what is near what, what was judged, what gives way."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from graph_memory.domain.asked import EpisodeLine
from graph_memory.domain.change import Change
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Horizon, Kind, MemoryId, NodeId, UserId
from graph_memory.ports.memories import Rewritten, Succession, Transformed

Pair = tuple[MemoryId, MemoryId]  # the smaller id first


class Purpose(StrEnum):
    """What memories are compared for."""

    MERGE = "merge"
    AUDIT = "audit"


@dataclass(frozen=True, slots=True)
class Near:
    """Two memories near each other."""

    id: MemoryId
    near_id: MemoryId
    cosine: float  # -1..1

    @property
    def pair(self) -> Pair:
        return min(self.id, self.near_id), max(self.id, self.near_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What was concluded of two memories with the texts that they had, so that they are not judged again."""

    purpose: Purpose
    pair: Pair
    text_hashes: tuple[str, str]
    verdict: str
    judged_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Merger:
    """What a transaction makes of memories that become one: the one that stays, and how the others give way to it."""

    stays: Rewritten | Transformed  # Transformed: its text was theirs already
    successions: tuple[Succession, ...]
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedInto:
    """A memory that another went into, and what it can say without that one."""

    memory_id: MemoryId
    own: str  # its text before it took others in
    others: tuple[str, ...]  # texts of the others that went into it


class ComparisonStore(Protocol):
    """Finds what is to be compared, and keeps what came of it."""

    async def count_facts(self, user_id: UserId, *, at: datetime) -> int:
        """How many established facts are current."""

    async def uncompared(
        self,
        user_id: UserId,
        purpose: Purpose,
        *,
        kinds: Sequence[Kind],
        horizons: Sequence[Horizon],
        at: datetime,
        limit: int,
    ) -> list[MemoryId]:
        """Current memories whose text was not compared yet, the newest first."""

    async def near(
        self,
        user_id: UserId,
        ids: Sequence[MemoryId],
        *,
        kinds: Sequence[Kind],
        horizons: Sequence[Horizon],
        least_cosine: float,
        at: datetime,
    ) -> list[Near]:
        """The current memories of the same kind near each of these, in the order of the ids, the nearest first."""

    async def judged(self, user_id: UserId, purpose: Purpose, pairs: Sequence[Pair]) -> dict[Pair, tuple[str, ...]]:
        """Those of the pairs that were judged, with the hashes of the texts that were."""

    async def note(
        self,
        user_id: UserId,
        purpose: Purpose,
        *,
        judgements: Sequence[Judgement],
        compared: Mapping[MemoryId, str],
        at: datetime,
    ) -> None:
        """Keeps judgements, and with which texts (by hash) memories were compared, in one transaction."""

    async def settle(
        self, user_id: UserId, succession: Succession, new_id: MemoryId, judgement: Judgement, *, at: datetime
    ) -> Memory:
        """One memory excludes another: all effects in one transaction; the older one as it then is.

        Raises ConflictError when one of them is gone or no longer current, or when a chain would close a cycle.
        """

    async def stand_against(
        self, user_id: UserId, new_id: MemoryId, old_id: MemoryId, judgement: Judgement, change: Change, *, at: datetime
    ) -> None:
        """Two memories exclude each other, and neither gives way: said, for the user to settle.

        Raises ConflictError when one of them is gone or no longer current.
        """

    async def merge(
        self,
        user_id: UserId,
        ids: Sequence[MemoryId],
        merge: Callable[[Mapping[MemoryId, Memory]], Merger],
        *,
        most_sources: int,
        at: datetime,
    ) -> None:
        """Makes one memory of several, in one transaction; sources and schemas of all lead to and from the one.

        `merge` is given the memories found, locked, and raises ConflictError when they have moved on. The store raises
        it too: for more sources than a memory may have, and for a text that the user erased.
        """

    async def merged_into(self, user_id: UserId, memory_id: MemoryId) -> list[MergedInto]:
        """What a memory went into by merges, the nearest first."""

    async def forget_texts(
        self,
        user_id: UserId,
        memory_id: MemoryId,
        texts: Sequence[str],
        rewritten: Rewritten | None,
        *,
        at: datetime,
    ) -> None:
        """Rewrites a memory, if it is to be, and removes texts from its past, in one transaction.

        Raises NotFoundError, ConflictError.
        """


class ObservationStore(Protocol):
    """Finds facts that still gather evidence."""

    async def find(self, user_id: UserId, *, least_occurrences: int, at: datetime) -> list[MemoryId]:
        """Current ones that were made so often, the most often made first; bounded."""

    async def stale(
        self, user_id: UserId, *, before: datetime, below_occurrences: int, at: datetime, limit: int
    ) -> dict[MemoryId, str]:
        """Current ones, with their texts, made less often and last at `before` or earlier; the longest idle first."""

    async def expire(
        self,
        user_id: UserId,
        changes: Sequence[Change],
        *,
        before: datetime,
        below_occurrences: int,
        at: datetime,
    ) -> int:
        """Stops believing those that the audit rows name and that are stale still, in one transaction; how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """The latest episodes, and of which of them insights were drawn last."""

    episodes: tuple[tuple[str, EpisodeLine], ...] = ()  # by id, the earliest first
    reflected_on: str | None = None


@dataclass(frozen=True, slots=True)
class DrawnInsight:
    """An insight that an episode shows, and the other episodes that show it."""

    memory: Memory
    named_ids: tuple[str, ...]  # persons and entities that it named
    rest: tuple[tuple[str, EpisodeLine], ...]  # by id, the earliest first


@dataclass(frozen=True, slots=True, kw_only=True)
class MendedInsight:
    """What becomes of an insight without an episode: it stays, says something else, or else goes."""

    drawn: DrawnInsight
    stays: bool = False
    rewritten: Rewritten | None = None


class ReflectionStore(Protocol):
    """Finds what insights are drawn from."""

    async def drawn_from(self, user_id: UserId, episode_id: NodeId) -> list[DrawnInsight]:
        """The insights that an episode shows, but for those that a hand has edited or pinned."""

    async def latest(self, user_id: UserId, *, at: datetime, limit: int) -> Reflection:
        """The latest episodes that were summed up."""

    async def note(
        self, user_id: UserId, key: str, *, insights: Sequence[MemoryId], episodes: Sequence[str], at: datetime
    ) -> None:
        """Leads from insights to the episodes that show them, and keeps that those were reflected on."""
