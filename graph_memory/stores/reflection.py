"""ReflectionStore on Neo4j."""

from collections.abc import Sequence
from datetime import datetime

from graph_memory.domain.asked import EpisodeLine, Tone
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.ports import DrawnInsight, Reflection
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.rows import Properties, instant, memory_from

_TONES = {tone.value: tone for tone in Tone}


class Neo4jReflectionStore:
    """Finds in Neo4j what insights are drawn from."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def latest(self, user_id: UserId, *, at: datetime, limit: int) -> Reflection:
        rows = await self._connection.run("insights/find_episodes", user_id=user_id, at=at, limit=limit)
        lines = [_line(row) for row in reversed(rows)]
        return Reflection(episodes=tuple(lines), reflected_on=rows[0]["reflected_on"] if rows else None)

    async def drawn_from(self, user_id: UserId, episode_id: NodeId) -> list[DrawnInsight]:
        return await find_insights(self._connection, user_id, episode_id)

    async def note(
        self, user_id: UserId, key: str, *, insights: Sequence[MemoryId], episodes: Sequence[str], at: datetime
    ) -> None:
        await self._connection.run(
            "insights/note_reflection",
            user_id=user_id,
            key=key,
            ids=list(insights),
            episode_ids=list(episodes),
            at=at,
        )


async def find_insights(source: Connection | Transaction, user_id: UserId, episode_id: NodeId) -> list[DrawnInsight]:
    """The insights that an episode shows, each with the others that show it."""
    rows = await source.run("insights/find_insights", user_id=user_id, episode_id=episode_id)
    return [
        DrawnInsight(memory_from(row["memory"]), tuple(row["named_ids"]), tuple(_line(each) for each in row["rest"]))
        for row in rows
    ]


def _line(row: Properties) -> tuple[str, EpisodeLine]:
    """An episode's id, and what insights see of it."""
    line = EpisodeLine(
        at=instant(row["at"]),
        summary=row["summary"],
        topics=tuple(row["topics"]),
        tone=_TONES.get(row["tone"], Tone.NEUTRAL),
    )
    return str(row["id"]), line
