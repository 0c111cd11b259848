"""ReceiptStore on Neo4j."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graph_memory.ports import Receipt
from graph_memory.stores.connection import Connection


class Neo4jReceiptStore:
    """Keeps receipts in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def add(self, receipts: Sequence[Receipt]) -> None:
        await self._connection.run("receipts/add_receipts", rows=[_row(receipt) for receipt in receipts])

    async def drop_old(self, *, at: datetime, limit: int) -> int:
        [row] = await self._connection.run("receipts/drop_old_receipts", at=at, limit=limit)
        return int(row["dropped"])


def _row(receipt: Receipt) -> dict[str, Any]:
    return {
        "user_id": receipt.user_id,
        "properties": {
            "id": receipt.id,
            "at": receipt.at,
            "expires_at": receipt.expires_at,
            "hit_ids": list(receipt.hit_ids),
            "scores": list(receipt.scores),
            "applied": receipt.applied,
        },
    }
