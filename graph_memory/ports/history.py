"""What the core asks of what was: audit rows, earlier texts, contradictions, chains, decisions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graph_memory.domain.change import Change
from graph_memory.domain.contradiction import Conflict, denies
from graph_memory.domain.decision import DecisionStatus
from graph_memory.domain.memory import Memory
from graph_memory.domain.statement import Wording, read
from graph_memory.domain.vocabulary import (
    MemoryId,
    UserId,
)
from graph_memory.ports.paging import Position, Row
from graph_memory.ports.world import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainMember:
    """One member of a supersession chain."""

    memory: Memory
    successor_id: MemoryId | None
    superseded_at: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFilter:
    """Which decisions of a list are wanted; None asks nothing. Domain and topic are folded."""

    domain_key: str | None = None
    topic_key: str | None = None
    status: DecisionStatus | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """An earlier text of a memory, and when it was ours."""

    text: str
    since: datetime
    until: datetime
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two memories that exclude each other; settled: one of them gave way."""

    older: Memory
    newer: Memory
    settled: bool
    at: datetime
    reason: str | None

    @property
    def kind(self) -> Conflict:
        """What their words show: the newer denies the older, or gives another value."""
        denied = denies(read(self.newer.text, Wording()), read(self.older.text, Wording()))
        return Conflict.NEGATE if denied else Conflict.REPLACE


class AuditStore(Protocol):
    """Reads what happened to memories: changes, earlier texts, successions, contradictions."""

    async def changes(
        self, user_id: UserId, target_id: str, *, after: Position | None, limit: int
    ) -> list[Row[Change]]:
        """One page of a node's audit rows, the latest first."""

    async def change(self, user_id: UserId, change_id: str) -> Change | None:
        """One audit row."""

    async def versions(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Version]]:
        """The earlier texts of memories, the oldest first."""

    async def successions(
        self, user_id: UserId, ids: Sequence[MemoryId], *, at: datetime
    ) -> list[tuple[MemoryId, MemoryId]]:
        """Which of these gave way to what, and what gave way to them: (old, new), each pair once."""

    async def contradictions(
        self, user_id: UserId, *, settled: bool | None, after: Position | None, limit: int
    ) -> list[Row[Contradiction]]:
        """One page, the latest first."""


class LedgerStore(Protocol):
    """Reads chains of supersession and the decision ledger."""

    async def chain(self, user_id: UserId, memory_id: MemoryId, *, known_at: datetime) -> list[ChainMember]:
        """Every member of a memory's chain, in no order; none when there is no such memory."""

    async def head(self, user_id: UserId, head_key: str) -> Memory | None:
        """The current decision of a domain and topic."""

    async def decisions(
        self,
        user_id: UserId,
        wanted: DecisionFilter,
        *,
        as_of: datetime | None,
        known_at: datetime,
        after: Position | None,
        limit: int,
    ) -> list[Row[Memory]]:
        """One page, the latest first, as believed then; without `as_of` plans for the future are found too."""

    async def count(
        self, user_id: UserId, wanted: DecisionFilter, *, as_of: datetime | None, known_at: datetime
    ) -> int:
        """How many of these there are."""

    async def topics(
        self, user_id: UserId, topic_key: str, *, domain_key: str | None, known_at: datetime
    ) -> list[MemoryId]:
        """One decision of each chain on a topic."""

    async def by_words(
        self, user_id: UserId, words: Sequence[str], index_terms: Sequence[str], *, known_at: datetime, limit: int
    ) -> list[MemoryId]:
        """The decisions that words find best."""

    async def near(
        self, user_id: UserId, vector: Floats, *, domain_key: str, least_cosine: float, at: datetime, limit: int
    ) -> list[Memory]:
        """Decisions of a domain near a vector, the nearest first."""
