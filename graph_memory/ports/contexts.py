"""What the core asks for the text that an agent should know."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graph_memory.domain.vocabulary import (
    MemoryId,
    UserId,
)


class ContextStore(Protocol):
    """Finds what an agent should know without asking: current, visible memories, by id, the most telling first."""

    async def hot(
        self, user_id: UserId, buckets: Sequence[str] | None, *, touched_after: datetime, at: datetime, limit: int
    ) -> list[MemoryId]:
        """What is pinned, then what was used last since an instant."""

    async def facts(
        self, user_id: UserId, buckets: Sequence[str] | None, *, at: datetime, limit: int
    ) -> list[MemoryId]:
        """Established facts, those that stay longest first."""

    async def observations(
        self, user_id: UserId, buckets: Sequence[str] | None, *, at: datetime, limit: int
    ) -> list[MemoryId]:
        """Facts that still gather evidence, those met most often first."""
