"""UserStore on Neo4j."""

from collections import Counter
from datetime import datetime
from typing import Any

from graph_memory.domain.link import LinkType
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Stats, UserSettings
from graph_memory.stores.connection import Connection


class Neo4jUserStore:
    """Keeps users in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def settings(self, user_id: UserId) -> UserSettings | None:
        rows = await self._connection.run("graph/get_user", user_id=user_id)
        return UserSettings(time_zone=rows[0]["time_zone"], tier_profile=rows[0]["tier_profile"]) if rows else None

    async def stats(self, user_id: UserId, *, profile: TierProfile, at: datetime) -> Stats:
        groups = await self._connection.run(
            "graph/count_memories_by",
            user_id=user_id,
            at=at,
            active_days=profile.active_days,
            warm_days=profile.warm_days,
            cold_days=profile.cold_days,
            time_scale=profile.time_scale,
        )
        links = await self._connection.run(
            "graph/count_links", user_id=user_id, types=[each.value for each in LinkType]
        )
        [others] = await self._connection.run("graph/count_others", user_id=user_id)
        return Stats(
            memories=sum(group["memories"] for group in groups),
            by_kind=_by("kind", groups),
            by_state=_by("state", groups),
            by_tier=_by("tier", groups),
            hidden=_where("hidden", groups),
            superseded=_where("superseded", groups),
            links={row["type"]: row["links"] for row in links},
            people=others["people"],
            entities=others["entities"],
            episodes=others["episodes"],
            awaiting_enrichment=_where("pending", groups),
            parked=_where("parked", groups),
            without_embedding=sum(group["memories"] for group in groups if not group["embedded"]),
        )


def _by(field: str, groups: list[Any]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for group in groups:
        counted[group[field] or "pinned"] += group["memories"]
    return dict(sorted(counted.items()))


def _where(field: str, groups: list[Any]) -> int:
    return sum(group["memories"] for group in groups if group[field])
