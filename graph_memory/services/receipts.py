"""Receipts of answers, stored after the answer is given, many at a time."""

import asyncio
import logging

from graph_memory.errors import GraphMemoryError
from graph_memory.ports import Receipt, ReceiptStore

_log = logging.getLogger(__name__)
_GATHER_SECONDS = 0.05
_MOST_AT_ONCE = 500
_MOST_WAITING = 10_000  # while the store is away; then the oldest are dropped, and it is said


class KeepReceipts:
    """Stores receipts behind the answers."""

    def __init__(self, store: ReceiptStore) -> None:
        self._store = store
        self._waiting: list[Receipt] = []
        self._writer: asyncio.Task[None] | None = None

    def keep(self, receipt: Receipt) -> None:
        """Takes a receipt to be stored soon."""
        self._waiting.append(receipt)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Waits until every receipt is stored."""
        if self._writer:
            await self._writer

    async def _write(self) -> None:
        await asyncio.sleep(_GATHER_SECONDS)
        while self._waiting:
            batch, self._waiting = self._waiting[:_MOST_AT_ONCE], self._waiting[_MOST_AT_ONCE:]
            try:
                await self._store.add(batch)
            except GraphMemoryError as error:
                self._waiting = [*batch, *self._waiting][-_MOST_WAITING:]
                _log.warning("%d receipts wait for the store: %s", len(self._waiting), error)
                return
