"""What the core asks of what a user should hear of."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graph_memory.domain.vocabulary import MemoryId, UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """Memories of one sort that a user should hear of."""

    count: int
    ids: tuple[MemoryId, ...]  # the first of them
    since: datetime  # when the last of them came to it
    first_at: datetime | None = None  # of fading ones: when the first is hidden


class NoticeStore(Protocol):
    """Finds what a user should hear of."""

    async def fading(self, user_id: UserId, *, at: datetime, scan: int, limit: int) -> Noticed | None:
        """Current memories that are not hidden yet but weak, among those hidden first; None: there are none."""

    async def parked(self, user_id: UserId, *, at: datetime, limit: int) -> Noticed | None:
        """Memories whose enrichment was given up; None: there are none."""
