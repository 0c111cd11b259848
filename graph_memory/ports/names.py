"""What the core asks of persons and entities as names."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graph_memory.domain.memory import Memory
from graph_memory.domain.names import KnownName, NameKind
from graph_memory.domain.vocabulary import (
    MemoryId,
    NodeId,
    UserId,
)
from graph_memory.ports.paging import Position, Row

NodeName = tuple[UserId, NameKind, str]  # a person or entity of a user, by its folded name


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedNode:
    """A person or an entity."""

    id: NodeId
    kind: NameKind
    name: str
    aliases: tuple[str, ...]
    created_at: datetime
    last_mentioned_at: datetime | None


class NameStore(Protocol):
    """Keeps persons and entities."""

    async def known_names(self, user_id: UserId) -> list[KnownName]:
        """Every name and alias."""

    async def find(
        self, user_id: UserId, kind: NameKind, *, search: str | None, after: Position | None, limit: int
    ) -> list[Row[NamedNode]]:
        """One page, the latest mentioned first."""

    async def count(self, user_id: UserId, kind: NameKind, *, search: str | None) -> int:
        """How many match."""

    async def get(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, NamedNode]:
        """The nodes found."""

    async def named_in(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[NamedNode]]:
        """Whom and what memories refer to, by name."""

    async def memories_naming(
        self, user_id: UserId, node_id: NodeId, *, after: Position | None, limit: int
    ) -> list[Row[Memory]]:
        """One page of the memories that refer to a node, newest first."""

    async def count_memories_naming(self, user_id: UserId, node_id: NodeId) -> int:
        """How many memories refer to a node."""
