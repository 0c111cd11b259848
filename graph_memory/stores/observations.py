"""ObservationStore on Neo4j."""

from collections.abc import Sequence
from datetime import datetime

from graph_memory.domain.change import Change
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.rows import change_properties
from graph_memory.stores.sequence import leave_session

_MOST_FOUND = 1_000  # of what has gathered evidence; those made most often


class Neo4jObservationStore:
    """Finds and expires observations in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def find(self, user_id: UserId, *, least_occurrences: int, at: datetime) -> list[MemoryId]:
        rows = await self._connection.run(
            "observations/find_observations",
            user_id=user_id,
            occurrences=least_occurrences,
            at=at,
            limit=_MOST_FOUND,
        )
        return [MemoryId(row["id"]) for row in rows]

    async def stale(
        self, user_id: UserId, *, before: datetime, below_occurrences: int, at: datetime, limit: int
    ) -> dict[MemoryId, str]:
        rows = await self._connection.run(
            "observations/find_stale_observations",
            user_id=user_id,
            before=before,
            occurrences=below_occurrences,
            at=at,
            limit=limit,
        )
        return {MemoryId(row["id"]): row["text"] for row in rows}

    async def expire(
        self,
        user_id: UserId,
        changes: Sequence[Change],
        *,
        before: datetime,
        below_occurrences: int,
        at: datetime,
    ) -> int:
        async def expire_observations(transaction: Transaction) -> int:
            ordered = sorted(changes, key=lambda change: change.target_id)
            rows = await transaction.run(
                "observations/expire_observations",
                user_id=user_id,
                rows=[{"id": change.target_id, "change": change_properties(change)} for change in ordered],
                before=before,
                occurrences=below_occurrences,
                at=at,
            )
            for row in rows:
                if row["in_session"]:
                    await leave_session(transaction, user_id, MemoryId(row["id"]), at=at)
            return len(rows)

        return await self._connection.transaction(expire_observations)
