"""BeatStore on Neo4j: what falls due is locked, changed and written in one transaction a batch."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import State, UserId
from graph_memory.ports import Transformed
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.rows import change_properties, changed_properties, memory_from


class Neo4jBeatStore:
    """Changes memories of all users in Neo4j as their dates fall due."""

    def __init__(self, connection: Connection, *, dates_by: str) -> None:
        self._connection, self._dates_by = connection, dates_by

    async def lower(
        self,
        state: State,
        lowered: Callable[[Memory], Transformed],
        *,
        at: datetime,
        limit: int,
        user_id: UserId | None = None,
    ) -> Mapping[UserId, int]:
        async def lower_states(transaction: Transaction) -> Mapping[UserId, int]:
            if user_id is None:
                found = await transaction.run("beats/lock_due", state=state.value, at=at, limit=limit)
            else:
                found = await transaction.run(
                    "beats/lock_due_of_user", user_id=user_id, state=state.value, at=at, limit=limit
                )
            memories = [memory_from(row["memory"]) for row in found]
            await self._write(transaction, [self._lowered_row(each, lowered(each)) for each in memories])
            return Counter(each.user_id for each in memories)

        return await self._connection.transaction(lower_states)

    async def count_due(self, user_id: UserId, *, at: datetime) -> Mapping[State, int]:
        rows = await self._connection.run("beats/count_due_of_user", user_id=user_id, at=at)
        return {State(row["state"]): int(row["memories"]) for row in rows}

    async def adopt(self) -> None:
        await self._connection.run("beats/adopt_settings", dates_by=self._dates_by)

    async def redate(self, redated: Callable[[Memory], Memory], *, limit: int, user_id: UserId | None = None) -> int:
        async def redate_memories(transaction: Transaction) -> int:
            if user_id is None:
                found = await transaction.run("beats/lock_stale", dates_by=self._dates_by, limit=limit)
            else:
                found = await transaction.run(
                    "beats/lock_stale_of_user", user_id=user_id, dates_by=self._dates_by, limit=limit
                )
            memories = [memory_from(row["memory"]) for row in found]
            return await self._write(transaction, [self._redated_row(each, redated(each)) for each in memories])

        return await self._connection.transaction(redate_memories)

    async def count_stale(self, user_id: UserId | None = None) -> int:
        if user_id is None:
            [row] = await self._connection.run("beats/count_stale", dates_by=self._dates_by)
        else:
            [row] = await self._connection.run("beats/count_stale_of_user", user_id=user_id, dates_by=self._dates_by)
        return int(row["memories"])

    async def _write(self, transaction: Transaction, rows: Sequence[Mapping[str, Any]]) -> int:
        if rows:
            await transaction.run("beats/write_memories", rows=list(rows))
        return len(rows)

    def _lowered_row(self, before: Memory, after: Transformed) -> dict[str, Any]:
        changed = changed_properties(before, after.memory, dates_by=self._dates_by)
        return _row(before, changed, [change_properties(change) for change in after.changes])

    def _redated_row(self, before: Memory, after: Memory) -> dict[str, Any]:
        changed = changed_properties(before, after, dates_by=self._dates_by)
        return _row(before, {**changed, "dates_by": self._dates_by}, [])


def _row(memory: Memory, properties: Mapping[str, Any], changes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"user_id": memory.user_id, "id": memory.id, "properties": properties, "changes": changes}
