"""ReceiptStore on Neo4j."""

from datetime import datetime

from graph_memory.stores.connection import Connection


class Neo4jReceiptStore:
    """Keeps receipts in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def drop_old(self, *, at: datetime, limit: int) -> int:
        [row] = await self._connection.run("receipts/drop_old_receipts", at=at, limit=limit)
        return int(row["dropped"])
