"""Relevance and tier: how far a search must reach, from the days since the last touch.

Source: constants.md 2.2 (agent-memory-skill).
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graph_memory.domain.vocabulary import Tier

_DAY = timedelta(days=1)
_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
_LATEST = datetime(9999, 12, 31, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class TierProfile:
    """Up to how many whole days each tier reaches, and how fast relevance falls."""

    active_days: int
    warm_days: int
    cold_days: int
    relevance_rate: float  # per day
    relevance_floor: float = 0.1
    time_scale: float = 1.0  # how many days of the memory pass in one day of the world


TIER_PROFILES = {
    "default": TierProfile(active_days=7, warm_days=21, cold_days=60, relevance_rate=0.015),
    "sales": TierProfile(active_days=3, warm_days=10, cold_days=30, relevance_rate=0.025),
    "research": TierProfile(active_days=14, warm_days=45, cold_days=120, relevance_rate=0.008),
}


def whole_days(touched_at: datetime, at: datetime, *, time_scale: float = 1.0) -> int:
    """Whole days of the memory's clock from the last touch to `at`, never below 0."""
    return max(0, int((at - touched_at) * time_scale // _DAY))


def relevance(touched_at: datetime, at: datetime, *, profile: TierProfile, pinned: bool = False) -> float:
    """0.1..1, falling by a constant rate a day; 1 when pinned."""
    if pinned:
        return 1.0
    return max(
        profile.relevance_floor,
        1.0 - profile.relevance_rate * whole_days(touched_at, at, time_scale=profile.time_scale),
    )


def tier(touched_at: datetime, at: datetime, *, profile: TierProfile, pinned: bool = False) -> Tier | None:
    """The tier at `at`; None when pinned, for a pin overrides it."""
    if pinned:
        return None
    days = whole_days(touched_at, at, time_scale=profile.time_scale)
    if days <= profile.active_days:
        return Tier.ACTIVE
    if days <= profile.warm_days:
        return Tier.WARM
    return Tier.COLD if days <= profile.cold_days else Tier.ARCHIVE


def touched_span(wanted: Tier, at: datetime, *, profile: TierProfile) -> tuple[datetime, datetime]:
    """The touch dates that give a tier at `at`, of what is not pinned: after the first, up to and with the second."""
    oldest = {Tier.ACTIVE: profile.active_days, Tier.WARM: profile.warm_days, Tier.COLD: profile.cold_days}
    newest = {Tier.WARM: profile.active_days, Tier.COLD: profile.warm_days, Tier.ARCHIVE: profile.cold_days}

    def end_of(days: int) -> datetime:
        return at - (days + 1) * _DAY / profile.time_scale

    return (
        end_of(oldest[wanted]) if wanted in oldest else _EARLIEST,
        end_of(newest[wanted]) if wanted in newest else _LATEST,
    )
