"""What the core asks of users."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from graph_memory.domain.change import Change
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import (
    UserId,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSettings:
    """What a user chose."""

    time_zone: str = "UTC"
    tier_profile: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What a user's graph holds. Expired memories are not counted."""

    memories: int = 0
    by_kind: Mapping[str, int] = field(default_factory=dict)
    by_state: Mapping[str, int] = field(default_factory=dict)
    by_tier: Mapping[str, int] = field(default_factory=dict)
    hidden: int = 0
    fading_soon: int = 0
    superseded: int = 0
    links: Mapping[str, int] = field(default_factory=dict)
    people: int = 0
    entities: int = 0
    episodes: int = 0
    awaiting_enrichment: int = 0
    parked: int = 0
    awaiting_extraction: int = 0  # turns that nothing was drawn from yet
    parked_extractions: int = 0  # turns of which that was given up
    without_embedding: int = 0
    stale_dates: int = 0  # of expired memories too


class UserStore(Protocol):
    """Keeps users."""

    async def settings(self, user_id: UserId) -> UserSettings | None:
        """What a user chose; None before the first memory."""

    async def stats(self, user_id: UserId, *, profile: TierProfile, at: datetime) -> Stats:
        """What a user's graph holds."""

    async def change_settings(
        self,
        user_id: UserId,
        change: Callable[[UserSettings], tuple[UserSettings, Sequence[Change]]],
        *,
        otherwise: UserSettings,
        at: datetime,
    ) -> UserSettings:
        """What `change` makes of a user's settings, or of `otherwise` for a new user, with its audit rows.

        Nothing overtakes it meanwhile; it may be called again after a deadlock.
        """
