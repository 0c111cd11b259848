"""UserStore on Neo4j."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from graph_memory.domain.change import Change
from graph_memory.domain.decay import FAR_FUTURE, StrengthCurve
from graph_memory.domain.link import LinkType
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Stats, UserSettings
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.rows import change_properties


class Neo4jUserStore:
    """Keeps users in Neo4j."""

    def __init__(self, connection: Connection, *, curve: StrengthCurve, hidden_soon: float, dates_by: str) -> None:
        self._connection, self._curve, self._hidden_soon, self._dates_by = connection, curve, hidden_soon, dates_by

    async def settings(self, user_id: UserId) -> UserSettings | None:
        rows = await self._connection.run("graph/get_user", user_id=user_id)
        return _settings(rows[0]) if rows else None

    async def stats(self, user_id: UserId, *, profile: TierProfile, at: datetime) -> Stats:
        groups = await self._connection.run(
            "graph/count_memories_by",
            user_id=user_id,
            at=at,
            active_days=profile.active_days,
            warm_days=profile.warm_days,
            cold_days=profile.cold_days,
            time_scale=profile.time_scale,
            half_life_hours=self._curve.half_life_hours,
            stability_gain=self._curve.stability_gain,
            stability_power=self._curve.stability_power,
            strength_max=self._curve.maximum,
            arousal_gain=self._curve.arousal_gain,
            hidden_soon=self._hidden_soon,
        )
        links = await self._connection.run(
            "graph/count_links", user_id=user_id, types=[each.value for each in LinkType]
        )
        [others] = await self._connection.run(
            "graph/count_others", user_id=user_id, dates_by=self._dates_by, ends_at=FAR_FUTURE
        )
        return Stats(
            memories=sum(group["memories"] for group in groups),
            by_kind=_by("kind", groups),
            by_state=_by("state", groups),
            by_tier=_by("tier", groups),
            hidden=_where("hidden", groups),
            fading_soon=_where("fading", groups),
            superseded=_where("superseded", groups),
            links={row["type"]: row["links"] for row in links},
            people=others["people"],
            entities=others["entities"],
            episodes=others["episodes"],
            awaiting_enrichment=_where("pending", groups),
            parked=_where("parked", groups),
            without_embedding=sum(group["memories"] for group in groups if not group["embedded"]),
            awaiting_extraction=others["awaiting_extraction"],
            parked_extractions=others["parked_extractions"],
            stale_dates=others["stale_dates"],
        )

    async def change_settings(
        self,
        user_id: UserId,
        change: Callable[[UserSettings], tuple[UserSettings, Sequence[Change]]],
        *,
        otherwise: UserSettings,
        at: datetime,
    ) -> UserSettings:
        async def change_user(transaction: Transaction) -> UserSettings:
            [row] = await transaction.run(
                "graph/lock_user", user_id=user_id, at=at, otherwise=_settings_properties(otherwise)
            )
            settings, changes = change(_settings(row))
            await transaction.run(
                "graph/write_user",
                user_id=user_id,
                properties=_settings_properties(settings),
                changes=[change_properties(each) for each in changes],
            )
            return settings

        return await self._connection.transaction(change_user)


def _settings(row: Mapping[str, Any]) -> UserSettings:
    return UserSettings(time_zone=row["time_zone"], tier_profile=row["tier_profile"])


def _settings_properties(settings: UserSettings) -> dict[str, Any]:
    return {"time_zone": settings.time_zone, "tier_profile": settings.tier_profile}


def _by(field: str, groups: list[Any]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for group in groups:
        counted[group[field] or "pinned"] += group["memories"]
    return dict(sorted(counted.items()))


def _where(field: str, groups: list[Any]) -> int:
    return sum(group["memories"] for group in groups if group[field])
