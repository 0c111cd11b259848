"""NoticeStore on Neo4j."""

from collections.abc import Mapping
from datetime import datetime

from graph_memory.domain.decay import StrengthCurve
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import BackgroundWork, Noticed
from graph_memory.stores.connection import Connection
from graph_memory.stores.rows import Properties, instant, maybe_instant


class Neo4jNoticeStore:
    """Finds what a user should hear of, in Neo4j."""

    def __init__(self, connection: Connection, *, curve: StrengthCurve, hidden_soon: float) -> None:
        self._connection, self._curve, self._hidden_soon = connection, curve, hidden_soon

    async def fading(self, user_id: UserId, *, at: datetime, scan: int, limit: int) -> Noticed | None:
        [row] = await self._connection.run(
            "notices/find_fading",
            user_id=user_id,
            at=at,
            scan=scan,
            limit=limit,
            hidden_soon=self._hidden_soon,
            half_life_hours=self._curve.half_life_hours,
            stability_gain=self._curve.stability_gain,
            stability_power=self._curve.stability_power,
            strength_max=self._curve.maximum,
            arousal_gain=self._curve.arousal_gain,
            time_scale=self._curve.time_scale,
        )
        return _noticed(row, first_at=maybe_instant(row["first_at"])) if row["count"] else None

    async def parked(self, user_id: UserId, *, at: datetime, limit: int) -> Mapping[BackgroundWork, Noticed]:
        memories = await self._connection.run("notices/find_parked", user_id=user_id, at=at, limit=limit)
        turns = await self._connection.run("notices/find_parked_turns", user_id=user_id, at=at, limit=limit)
        parked = {BackgroundWork(row["work"]): _noticed(row) for row in memories}
        return parked | ({BackgroundWork.EXTRACTION: _noticed(turns[0])} if turns else {})


def _noticed(row: Properties, *, first_at: datetime | None = None) -> Noticed:
    return Noticed(
        count=row["count"],
        ids=tuple(MemoryId(each) for each in row["ids"]),
        since=instant(row["since"]),
        first_at=first_at,
    )
