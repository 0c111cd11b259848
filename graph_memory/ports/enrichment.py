"""What the core asks of the queue of memories that await enrichment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from graph_memory.domain.names import CalledMemory, MemoryReference, NameKind
from graph_memory.domain.vocabulary import (
    MemoryId,
    UserId,
)
from graph_memory.ports.names import NodeName
from graph_memory.ports.world import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingMemory:
    """A memory claimed for enrichment."""

    user_id: UserId
    id: MemoryId
    text: str
    speaker: str | None
    people: tuple[str, ...]
    entities: tuple[str, ...]
    occurred_at: datetime
    in_session: bool
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeMention:
    """A person or entity that a memory names."""

    kind: NameKind
    name: str
    name_key: str
    weight: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrichment:
    """What enrichment found for one memory."""

    memory: PendingMemory
    mentions: tuple[NodeMention, ...]
    context_embedding: Floats | None = None


@dataclass(frozen=True, slots=True)
class Refinable:
    """A turn that speaks of a labile statement of the same user."""

    user_id: UserId
    turn_id: MemoryId
    labile_id: MemoryId
    cosine: float


class EnrichmentQueue(Protocol):
    """Hands out memories whose enrichment is due, each to one worker at a time, and tells what names stand for.

    A name of one user never stands for a memory, person or entity of another.
    """

    async def claim(self, *, claim: str, limit: int, at: datetime, lease: timedelta) -> list[PendingMemory]:
        """The oldest due memories of all users; unfinished, they fall due again when the lease ends."""

    async def claim_one(
        self, memory_id: MemoryId, *, claim: str, at: datetime, lease: timedelta
    ) -> list[PendingMemory]:
        """That memory, if it is due; none when it is not, or another worker has it."""

    async def context_passages(self, pending: Sequence[PendingMemory], *, at: datetime) -> dict[MemoryId, str]:
        """Settles the places of memories in their sessions, and gives the text that a context vector is made of."""

    async def refinable(self, turns: Sequence[MemoryId], *, least_cosine: float, at: datetime) -> list[Refinable]:
        """Which labile statements these turns speak of, the nearest first."""

    async def known_by(self, names: Sequence[NodeName]) -> dict[NodeName, int]:
        """How many memories refer to each of these nodes; those that are not there are left out."""

    async def called(self, names: Sequence[tuple[UserId, str]], *, at: datetime) -> dict[UserId, list[CalledMemory]]:
        """The unexpired memories that may bear these names, by user; more may come than bear one."""

    async def finish(
        self,
        claim: str,
        done: Sequence[Enrichment],
        *,
        at: datetime,
        references: Mapping[MemoryId, Sequence[MemoryReference]],
    ) -> int:
        """Writes what was found, and links memories to those whose heading they name; how many were still this claim's.

        Links that a text's names made before stay as they are while they hold, and go when they do not.

        Args:
            claim: the claim that this finishes.
            done: what was found.
            at: now.
            references: every name that a memory's text calls others by.
        """

    async def fail(
        self, claim: str, failed: Mapping[MemoryId, str], *, at: datetime, retry_at: datetime, max_attempts: int
    ) -> int:
        """Gives memories back with the reason; how many were parked."""
