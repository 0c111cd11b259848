"""LeaseStore on Neo4j: one node a job."""

from datetime import datetime

from graph_memory.stores.connection import Connection


class Neo4jLeaseStore:
    """Keeps leases in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def take(self, job: str, holder: str, *, at: datetime, until: datetime) -> bool:
        [row] = await self._connection.run("graph/take_lease", id=job, holder=holder, at=at, until=until)
        return bool(row["holder"] == holder)

    async def give_back(self, job: str, holder: str) -> None:
        await self._connection.run("graph/give_back_lease", id=job, holder=holder)
