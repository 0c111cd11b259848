"""What the core asks of a user's priorities."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graph_memory.domain.decay import StrengthFacts
from graph_memory.domain.drift import PrioritySnapshot, RecentDecision
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports.paging import Position, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One memory of what a user said, as far as it tells a topic and its weight."""

    topic_key: str | None  # of a decision that was given one
    bucket: str
    names: tuple[str, ...]  # folded
    strength: StrengthFacts


class PriorityStore(Protocol):
    """Keeps priority snapshots, and reads what they are made of."""

    async def mentions(self, user_id: UserId, *, since: datetime, at: datetime, limit: int) -> Sequence[Mention]:
        """What a user had said by `at` of what happened after `since` or was to happen, the latest first."""

    async def decisions(self, user_id: UserId, *, since: datetime, at: datetime, limit: int) -> list[RecentDecision]:
        """What a user decided after `since` and up to `at`, the latest first."""

    async def latest(self, user_id: UserId, *, at: datetime) -> PrioritySnapshot | None:
        """The latest snapshot that is not later than `at`."""

    async def get(self, user_id: UserId, snapshot_id: str) -> PrioritySnapshot | None:
        """One snapshot."""

    async def find(self, user_id: UserId, *, after: Position | None, limit: int) -> list[Row[PrioritySnapshot]]:
        """One page of a user's snapshots, the latest first."""

    async def add(self, snapshot: PrioritySnapshot, *, after: datetime) -> bool:
        """Stores a snapshot, unless there is one between `after` and its own instant; whether it was stored."""

    async def drop_old(self, user_id: UserId, *, before: datetime, limit: int) -> int:
        """Drops snapshots from before an instant; how many."""
