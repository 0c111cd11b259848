"""Strength: how well a memory is stored, and the instant at which it fades from view.

Strength falls along a hyperbola from the strength at the last access; spaced accesses stretch the curve,
arousal slows it. Nothing rewrites a strength as time passes: the stored facts and the instant asked about give it.

Source: constants.md 2.2 (Agenternal; the arousal term is ours; Wixted and Ebbesen 1991, Cepeda 2006).
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

FAR_FUTURE = datetime(9999, 12, 31, tzinfo=UTC)  # an open end; never null, so that an index can range over it
_TOLERANCE = 1e-9


def hours_between(earlier: datetime, later: datetime, *, time_scale: float = 1.0) -> float:
    """Hours from `earlier` to `later` on the memory's clock; never below 0."""
    return max(0.0, (later - earlier).total_seconds() / 3600.0 * time_scale)


def after_hours(start: datetime, hours: float, *, time_scale: float = 1.0) -> datetime:
    """The instant `hours` of the memory's clock after `start`; past the year 9999 it is the far future."""
    real_hours = hours / time_scale
    if real_hours >= (FAR_FUTURE - start).total_seconds() / 3600.0:
        return FAR_FUTURE
    return start + timedelta(hours=real_hours)


def stability(spaced_access_count: int, *, gain: float, power: float) -> float:
    """S, no unit, at least 1: how much spaced retrieval stretches the curve. S = 1 + c·n^p."""
    return 1.0 + gain * float(max(0, spaced_access_count) ** power)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthFacts:
    """What is stored about a memory's strength; the rest is a function of the instant asked about."""

    base_strength: float  # strength at the last access, 0..2
    anchor_at: datetime  # the time of that access
    spaced_access_count: int = 0
    arousal: float = 0.0  # 0..1
    pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthCurve:
    """The numbers of the curve (settings `decay.*`) and what follows from them."""

    half_life_hours: float
    stability_gain: float
    stability_power: float
    floor: float
    maximum: float
    forget_threshold: float
    arousal_gain: float  # g: arousal a slows the curve by 1 - g·a
    time_scale: float = 1.0

    def retention(self, facts: StrengthFacts, at: datetime) -> float:
        """R, the share of base strength left at `at`, in (0, 1]. R = 1 / (1 + t(1 - g·a) / (H·S))."""
        elapsed = hours_between(facts.anchor_at, at, time_scale=self.time_scale)
        return 1.0 / (1.0 + elapsed * self._slowdown(facts) / self._stretched_half_life(facts))

    def strength(self, facts: StrengthFacts, at: datetime) -> float:
        """Strength at `at`, from the floor 0.05 to the maximum 2.0."""
        faded = min(self.maximum, facts.base_strength) * self.retention(facts, at)
        return max(self.floor, faded)

    def visible_until(self, facts: StrengthFacts) -> datetime:
        """The instant at which strength falls below the forget threshold; the far future when pinned."""
        if facts.pinned:
            return FAR_FUTURE
        base = min(self.maximum, facts.base_strength)
        if base < self.forget_threshold - _TOLERANCE:
            return facts.anchor_at
        hours = self._stretched_half_life(facts) * (base / self.forget_threshold - 1.0) / self._slowdown(facts)
        return after_hours(facts.anchor_at, hours, time_scale=self.time_scale)

    def _slowdown(self, facts: StrengthFacts) -> float:
        return 1.0 - self.arousal_gain * facts.arousal

    def _stretched_half_life(self, facts: StrengthFacts) -> float:
        n = facts.spaced_access_count
        return self.half_life_hours * stability(n, gain=self.stability_gain, power=self.stability_power)
