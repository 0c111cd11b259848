"""What the core asks of what a user should hear of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from graph_memory.domain.vocabulary import MemoryId, UserId


class BackgroundWork(StrEnum):
    """What is done behind a write, and may be given up."""

    ENRICHMENT = "enrichment"
    LINKS = "links"
    EXTRACTION = "extraction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """Memories of one sort that a user should hear of, or turns by the memories made of them."""

    count: int
    ids: tuple[MemoryId, ...]  # of the first of them
    since: datetime  # when the last of them came to it
    first_at: datetime | None = None  # of fading ones: when the first is hidden


class NoticeStore(Protocol):
    """Finds what a user should hear of."""

    async def fading(self, user_id: UserId, *, at: datetime, scan: int, limit: int) -> Noticed | None:
        """Current memories that are not hidden yet but weak, among those hidden first; None: there are none."""

    async def parked(self, user_id: UserId, *, at: datetime, limit: int) -> Mapping[BackgroundWork, Noticed]:
        """Memories, and of extraction turns, whose background work was given up; nothing of work that was not."""
