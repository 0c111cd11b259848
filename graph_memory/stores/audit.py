"""AuditStore on Neo4j."""

from collections.abc import Sequence
from datetime import datetime

from graph_memory.domain.change import Change
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import Contradiction, Position, Row, Version
from graph_memory.stores.connection import Connection
from graph_memory.stores.positions import after_position, position_at
from graph_memory.stores.rows import change_from, instant, memory_from


class Neo4jAuditStore:
    """Reads the trail of what happened in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def changes(
        self, user_id: UserId, target_id: str, *, after: Position | None, limit: int
    ) -> list[Row[Change]]:
        rows = await self._connection.run(
            "memories/find_changes",
            user_id=user_id,
            target_id=target_id,
            **after_position(after),
            limit=limit,
        )
        changes = [change_from(row["change"]) for row in rows]
        return [Row(change, position_at(change.at, change.id)) for change in changes]

    async def change(self, user_id: UserId, change_id: str) -> Change | None:
        rows = await self._connection.run("graph/get_change", user_id=user_id, id=change_id)
        return change_from(rows[0]["change"]) if rows else None

    async def versions(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Version]]:
        rows = await self._connection.run("memories/find_versions", user_id=user_id, ids=list(dict.fromkeys(ids)))
        versions: dict[MemoryId, list[Version]] = {memory_id: [] for memory_id in ids}
        for row in rows:
            stored = row["version"]
            versions[MemoryId(row["memory_id"])].append(
                Version(
                    text=stored["text"],
                    since=instant(stored["since"]),
                    until=instant(stored["until"]),
                    reason=stored.get("reason"),
                )
            )
        return versions

    async def successions(
        self, user_id: UserId, ids: Sequence[MemoryId], *, at: datetime
    ) -> list[tuple[MemoryId, MemoryId]]:
        rows = await self._connection.run(
            "ledger/find_successions", user_id=user_id, ids=list(dict.fromkeys(ids)), at=at
        )
        return list(dict.fromkeys((MemoryId(row["old_id"]), MemoryId(row["new_id"])) for row in rows))

    async def contradictions(
        self, user_id: UserId, *, settled: bool | None, after: Position | None, limit: int
    ) -> list[Row[Contradiction]]:
        rows = await self._connection.run(
            "ledger/find_contradictions",
            user_id=user_id,
            settled=settled,
            **after_position(after),
            limit=limit,
        )
        return [
            Row(
                Contradiction(
                    older=memory_from(row["older"]),
                    newer=memory_from(row["newer"]),
                    settled=row["settled"],
                    at=instant(row["at"]),
                    reason=row["reason"],
                ),
                position_at(instant(row["at"]), row["key"]),
            )
            for row in rows
        ]
