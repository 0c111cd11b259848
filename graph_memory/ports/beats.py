"""What the core asks of background work: who does it, and what falls due."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol

from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import State, UserId
from graph_memory.ports.memories import Transformed


class LeaseStore(Protocol):
    """Says who does a job, so that no two do it at once."""

    async def take(self, job: str, holder: str, *, at: datetime, until: datetime) -> bool:
        """Whether the job is the holder's now, until then; also renews a lease that it holds."""

    async def give_back(self, job: str, holder: str) -> None:
        """Ends a lease, if the holder still has it."""


class BeatStore(Protocol):
    """What time does to the memories of all users."""

    async def lower(
        self,
        state: State,
        lowered: Callable[[Memory], Transformed],
        *,
        at: datetime,
        limit: int,
        user_id: UserId | None = None,
    ) -> Mapping[UserId, int]:
        """Changes memories labelled `state` whose date to leave it has passed; how many of each user, of one or all.

        Empty when none is left.
        """

    async def count_due(self, user_id: UserId, *, at: datetime) -> Mapping[State, int]:
        """How many of a user's memories would leave the state that their label says, by that label."""

    async def adopt(self) -> None:
        """Makes the settings in use those that every stored date shall follow."""

    async def redate(self, redated: Callable[[Memory], Memory], *, limit: int, user_id: UserId | None = None) -> int:
        """Dates memories anew whose dates follow other settings, of one user or all; how many.

        0 when none is left, or the graph has adopted other settings than those in use since.
        """

    async def count_stale(self, user_id: UserId | None = None) -> int:
        """How many `redate` would still change."""
