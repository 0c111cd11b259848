"""What the core asks of receipts."""

from datetime import datetime
from typing import Protocol

from graph_memory.domain.vocabulary import (
    UserId,
)
from graph_memory.ports.memories import Receipt


class ReceiptStore(Protocol):
    """Keeps receipts, which `MemoryStore.transform` stores with what they stand for."""

    async def get(self, user_id: UserId, receipt_id: str) -> Receipt | None:
        """One receipt, while it is kept."""

    async def drop_old(self, user_id: UserId, *, at: datetime, limit: int) -> int:
        """Drops receipts of a user that are past their date; how many."""
