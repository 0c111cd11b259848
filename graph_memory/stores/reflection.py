"""ReflectionStore on Neo4j."""

from collections.abc import Sequence
from datetime import datetime

from graph_memory.domain.asked import EpisodeLine, Tone
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import Reflection
from graph_memory.stores.connection import Connection
from graph_memory.stores.rows import instant

_TONES = {tone.value: tone for tone in Tone}


class Neo4jReflectionStore:
    """Finds in Neo4j what insights are drawn from."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def latest(self, user_id: UserId, *, at: datetime, limit: int) -> Reflection:
        rows = await self._connection.run("insights/find_episodes", user_id=user_id, at=at, limit=limit)
        lines = [
            (
                str(row["id"]),
                EpisodeLine(
                    at=instant(row["at"]),
                    summary=row["summary"],
                    topics=tuple(row["topics"]),
                    tone=_TONES.get(row["tone"], Tone.NEUTRAL),
                ),
            )
            for row in reversed(rows)
        ]
        return Reflection(episodes=tuple(lines), reflected_on=rows[0]["reflected_on"] if rows else None)

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
