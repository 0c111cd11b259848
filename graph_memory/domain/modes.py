"""The modes of recall: how far each searches, how much it brings back, how long its text may be.

Cued goes by state, the named modes go by tier. The search property of a memory is its last touch, or the far future
when it is pinned, so "pinned or recent" is one range and an end of the range leaves pinned memories out.

Source: constants.md 2.5, Modes (agent-memory-skill; cued is ours); operations.md, Time (tiers inside the index).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from graph_memory.domain.tiers import TierProfile, touched_span
from graph_memory.domain.vocabulary import RecallMode, Tier

_EVERY_TIER = tuple(Tier)  # from the latest touched to the earliest


class Archived(StrEnum):
    """When memories in state archive are found."""

    LAST_RESORT = "last_resort"  # only where neither meaning nor words find anything else
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeRule:
    """How one mode searches."""

    tiers: tuple[Tier, ...] = _EVERY_TIER  # next to each other, the latest touched first
    hidden: bool = False  # whether hidden memories are found
    archived: Archived = Archived.ALWAYS
    ranked: bool = True  # False: a uniform draw without replacement
    reinforces: bool = False  # whether what it finds counts as used, where the caller lets it
    k_min: int
    k_max: int
    tokens: int  # of the answer as text for a prompt


ModeRules = Mapping[RecallMode, ModeRule]

MODES: ModeRules = MappingProxyType(
    {
        RecallMode.CUED: ModeRule(archived=Archived.LAST_RESORT, reinforces=True, k_min=3, k_max=20, tokens=5_000),
        RecallMode.HEARTBEAT: ModeRule(tiers=(Tier.ACTIVE,), k_min=0, k_max=5, tokens=2_000),
        RecallMode.NORMAL: ModeRule(tiers=(Tier.ACTIVE, Tier.WARM), reinforces=True, k_min=3, k_max=8, tokens=5_000),
        RecallMode.DEEP: ModeRule(hidden=True, reinforces=True, k_min=10, k_max=20, tokens=15_000),
        RecallMode.CREATIVE: ModeRule(
            tiers=(Tier.COLD, Tier.ARCHIVE), hidden=True, ranked=False, k_min=5, k_max=5, tokens=3_000
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeNumbers:
    """What the settings `recall.mode_*` may change of a mode."""

    k_min: int
    k_max: int
    tokens: int


def modes_with(numbers: Mapping[RecallMode, ModeNumbers]) -> ModeRules:
    """The table of modes with other numbers; a mode that is not named keeps its own."""
    changed = {
        mode: replace(MODES[mode], k_min=given.k_min, k_max=given.k_max, tokens=given.tokens)
        for mode, given in numbers.items()
    }
    return {**MODES, **changed}


def k_of(rule: ModeRule, *, adaptive: int, given: int | None = None) -> int:
    """How many hits a recall returns: the caller's k, else the adaptive one within the mode's range."""
    return given if given is not None else min(rule.k_max, max(rule.k_min, adaptive))


def overlay_k(k: int, *, least: int) -> int:
    """How many hits the general overlay of a recall has: half of k, rounded down, but not below the least."""
    return max(least, k // 2)


def touched_after(rule: ModeRule, at: datetime, *, profile: TierProfile) -> datetime | None:
    """After which touch a memory is searched at `at`, pinned ones always; None: from the earliest on."""
    oldest = rule.tiers[-1]
    return None if oldest is _EVERY_TIER[-1] else touched_span(oldest, at, profile=profile)[0]


def touched_until(rule: ModeRule, at: datetime, *, profile: TierProfile) -> datetime | None:
    """Up to and with which touch a memory is searched at `at`, pinned ones never; None: up to the latest."""
    newest = rule.tiers[0]
    return None if newest is _EVERY_TIER[0] else touched_span(newest, at, profile=profile)[1]
