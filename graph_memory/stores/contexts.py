"""ContextStore on Neo4j."""

from collections.abc import Sequence
from datetime import datetime

from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.stores.connection import Connection
from graph_memory.stores.rows import values


class Neo4jContextStore:
    """Finds what an agent should know without asking, in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def hot(
        self, user_id: UserId, buckets: Sequence[str] | None, *, touched_after: datetime, at: datetime, limit: int
    ) -> list[MemoryId]:
        rows = await self._connection.run(
            "contexts/find_hot",
            user_id=user_id,
            buckets=values(buckets),
            touched_after=touched_after,
            at=at,
            limit=limit,
        )
        return [MemoryId(row["id"]) for row in rows]

    async def facts(
        self, user_id: UserId, buckets: Sequence[str] | None, *, at: datetime, limit: int
    ) -> list[MemoryId]:
        rows = await self._connection.run(
            "contexts/find_facts", user_id=user_id, buckets=values(buckets), at=at, limit=limit
        )
        return [MemoryId(row["id"]) for row in rows]

    async def observations(
        self, user_id: UserId, buckets: Sequence[str] | None, *, at: datetime, limit: int
    ) -> list[MemoryId]:
        rows = await self._connection.run(
            "contexts/find_observations", user_id=user_id, buckets=values(buckets), at=at, limit=limit
        )
        return [MemoryId(row["id"]) for row in rows]
