"""PriorityStore on Neo4j."""

from collections.abc import Sequence
from datetime import datetime

from graph_memory.domain.decay import StrengthFacts
from graph_memory.domain.drift import Drift, PrioritySnapshot, RecentDecision
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import Mention, Position, Row
from graph_memory.stores.connection import Connection
from graph_memory.stores.positions import after_position, position_at
from graph_memory.stores.rows import Properties, instant


class Neo4jPriorityStore:
    """Keeps priority snapshots in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def mentions(self, user_id: UserId, *, since: datetime, at: datetime, limit: int) -> Sequence[Mention]:
        rows = await self._connection.run("priorities/find_mentions", user_id=user_id, since=since, at=at, limit=limit)
        return [_mention(row) for row in rows]

    async def decisions(self, user_id: UserId, *, since: datetime, at: datetime, limit: int) -> list[RecentDecision]:
        rows = await self._connection.run("priorities/find_decisions", user_id=user_id, since=since, at=at, limit=limit)
        return [
            RecentDecision(
                id=MemoryId(row["id"]),
                topics=_topics(row["topics"]),
                superseded_topics=_topics(row["replaced"]),
                reasoning=row["reasoning"],
            )
            for row in rows
        ]

    async def latest(self, user_id: UserId, *, at: datetime) -> PrioritySnapshot | None:
        rows = await self._connection.run("priorities/get_latest_snapshot", user_id=user_id, at=at)
        return _snapshot(rows[0]["snapshot"]) if rows else None

    async def get(self, user_id: UserId, snapshot_id: str) -> PrioritySnapshot | None:
        rows = await self._connection.run("priorities/get_snapshot", user_id=user_id, id=snapshot_id)
        return _snapshot(rows[0]["snapshot"]) if rows else None

    async def find(self, user_id: UserId, *, after: Position | None, limit: int) -> list[Row[PrioritySnapshot]]:
        rows = await self._connection.run(
            "priorities/find_snapshots", user_id=user_id, **after_position(after), limit=limit
        )
        snapshots = [_snapshot(row["snapshot"]) for row in rows]
        return [Row(each, position_at(each.at, each.id)) for each in snapshots]

    async def add(self, snapshot: PrioritySnapshot, *, after: datetime) -> bool:
        rows = await self._connection.run(
            "priorities/add_snapshot",
            user_id=snapshot.user_id,
            after=after,
            at=snapshot.at,
            properties={
                "id": snapshot.id,
                "topics": list(snapshot.weights),
                "weights": list(snapshot.weights.values()),
                "similarity": snapshot.similarity,
                "drift": snapshot.drift.value,
                "too_early": snapshot.too_early,
                "compared_with": snapshot.compared_with,
                "decision_ids": list(snapshot.decision_ids),
            },
        )
        return bool(rows)

    async def drop_old(self, user_id: UserId, *, before: datetime, limit: int) -> int:
        [row] = await self._connection.run("priorities/drop_old_snapshots", user_id=user_id, before=before, limit=limit)
        return int(row["dropped"])


def _mention(row: Properties) -> Mention:
    return Mention(
        topic_key=row["topic_key"],
        bucket=row["bucket"],
        names=tuple(row["names"]),
        strength=StrengthFacts(
            base_strength=row["base_strength"],
            anchor_at=instant(row["anchor_at"]),
            spaced_access_count=row["spaced_access_count"],
            arousal=row["arousal"],
        ),
    )


def _topics(stored: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(topic for topic in stored if topic))


def _snapshot(stored: Properties) -> PrioritySnapshot:
    return PrioritySnapshot(
        id=stored["id"],
        user_id=UserId(stored["user_id"]),
        at=instant(stored["at"]),
        weights=dict(zip(stored["topics"], stored["weights"], strict=True)),
        drift=Drift(stored["drift"]),
        similarity=stored.get("similarity"),
        compared_with=stored.get("compared_with"),
        decision_ids=tuple(MemoryId(each) for each in stored["decision_ids"]),
    )
