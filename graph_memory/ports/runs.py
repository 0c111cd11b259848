"""What the core asks of the reports of sleep."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graph_memory.domain.sleep import Beat, Run
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports.paging import Position, Row


class RunStore(Protocol):
    """Keeps the reports of runs, and knows for whom a beat is due."""

    async def begin(self, run: Run) -> bool:
        """Stores a run that holds its lease; whether there is such a user.

        Whatever else still ran for the same user and beat is dead, since it has the lease no more: it is told as
        failed. Unless the run is dry, its beat falls due again when it counts as dead.
        """

    async def tell(self, run: Run) -> bool:
        """Stores how a run stands; whether it is still there and still running."""

    async def end(self, run: Run, *, due_at: datetime | None) -> bool:
        """Stores how a run ended, and when its beat falls due again; None leaves that as it is."""

    async def drop(self, user_id: UserId, run_id: str) -> None:
        """Drops a run of which there is nothing to tell."""

    async def add(self, runs: Sequence[Run]) -> None:
        """Stores runs that have ended already; one of a user whom nobody knows is left out."""

    async def get(self, user_id: UserId, run_id: str) -> Run | None:
        """One run."""

    async def find(self, user_id: UserId, *, after: Position | None, limit: int) -> list[Row[Run]]:
        """One page of a user's runs, the latest first."""

    async def due(self, beat: Beat, *, at: datetime, limit: int) -> list[tuple[UserId, datetime]]:
        """Users for whom the cycle or the housekeeping is due, with the instant of it, the longest due first."""

    async def schedule(self, user_id: UserId, beat: Beat, due_at: datetime) -> None:
        """Says when the cycle or the housekeeping falls due next."""

    async def drop_old(self, user_id: UserId, beats: Sequence[Beat], *, before: datetime, limit: int) -> int:
        """Drops runs of some beats that started before an instant; how many."""
