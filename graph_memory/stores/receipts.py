"""ReceiptStore on Neo4j."""

from datetime import datetime

from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Receipt
from graph_memory.stores.connection import Connection
from graph_memory.stores.rows import receipt_from


class Neo4jReceiptStore:
    """Keeps receipts in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def get(self, user_id: UserId, receipt_id: str) -> Receipt | None:
        rows = await self._connection.run("receipts/get_receipt", user_id=user_id, id=receipt_id)
        return receipt_from(rows[0]["receipt"]) if rows else None

    async def drop_old(self, user_id: UserId, *, at: datetime, limit: int) -> int:
        [row] = await self._connection.run("receipts/drop_old_receipts", user_id=user_id, at=at, limit=limit)
        return int(row["dropped"])
