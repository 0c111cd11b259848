"""What the core asks of link discovery: which memories wait for it, what is near them, and that links are written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from graph_memory.domain.link import Link
from graph_memory.domain.link_rules import Linkable, LinkPlan, SharedName
from graph_memory.domain.vocabulary import MemoryId, UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlinked:
    """A memory whose links are still to be found."""

    memory: Linkable
    text: str
    current: bool  # one that is not believed any more gets no links


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbouring:
    """A current memory of the same user that an unlinked one may be linked to, and what is known of the two."""

    of: MemoryId
    memory: Linkable
    text: str
    nearness: float  # by links, 0..1: the weight of the strongest way over at most two; 0: none leads there
    shared: tuple[SharedName, ...]
    cosine: float | None  # None: not among the nearest by meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksWritten:
    """What came of the links that were found for a batch."""

    memories: int = 0  # whose discovery ended
    made: int = 0
    raised: int = 0
    removed: int = 0
    refused: int = 0  # they would have closed a cycle
    parked: int = 0


PlanLinks = Callable[[Sequence[Link], Sequence[Link]], LinkPlan]  # of links found and links that stand


class LinkDiscoveryStore(Protocol):
    """Hands out memories whose links are still to be found, each to one worker at a time, and writes what was found.

    Memories whose enrichment waits are not handed out: what they name is not known yet. No link joins two users.
    """

    async def due_users(self, *, at: datetime, limit: int) -> list[UserId]:
        """Users with due memories, the longest due first."""

    async def claim(self, user_id: UserId, *, claim: str, limit: int, at: datetime, lease: timedelta) -> list[Unlinked]:
        """The user's oldest due memories; unfinished, they fall due again when the lease ends."""

    async def due(self, user_id: UserId, *, limit: int, at: datetime) -> list[Unlinked]:
        """The same, unclaimed."""

    async def count_due(self, user_id: UserId, *, at: datetime, most: int) -> int:
        """How many are due, counted up to `most`."""

    async def neighbours(self, user_id: UserId, memories: Sequence[MemoryId], *, at: datetime) -> list[Neighbouring]:
        """Memories of the same bucket, or the general one, near these: by names, by links, by meaning."""

    async def standing(self, user_id: UserId, memories: Sequence[MemoryId]) -> list[Link]:
        """The links that these memories have among memories, but for derivation and truth."""

    async def write(
        self,
        user_id: UserId,
        claim: str,
        found: Mapping[MemoryId, Sequence[Link]],
        failed: Mapping[MemoryId, str],
        plan: PlanLinks,
        *,
        at: datetime,
        retry_at: datetime,
        max_attempts: int,
    ) -> LinksWritten:
        """Writes links and ends discovery; all or nothing, and nothing for a memory whose claim was taken over.

        Args:
            claim: the claim that this ends.
            found: links by the memory that they were found for; each joins it to a neighbour of it.
            failed: of these memories, those to be tried again, or parked, with the reason.
            plan: makes of links found and links that stand what is to be written.
            at: now.
            retry_at: when a failed one falls due again.
            max_attempts: after so many it is parked until its text changes.
        """
