"""What a user should hear of unasked (operations.md, notices)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.drift import Drift, PrioritySnapshot
from graph_memory.domain.memory import Memory

_MOST_TOPICS = 3  # named on each side of a drift


class NoticeKind(StrEnum):
    """What a notice is about."""

    DRIFT = "drift"
    FADING_SOON = "fading_soon"
    CONTRADICTION = "contradiction"
    PARKED = "parked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One thing to tell a user."""

    kind: NoticeKind
    text: str
    at: datetime  # since when it is so; the same notice keeps its instant
    memories: tuple[Memory, ...] = ()


def drift_text(now: PrioritySnapshot, weights_before: Mapping[str, float]) -> str:
    """What a drift looks like, in a sentence: which topics weigh more than before, and which less."""
    moved = {
        topic: now.weights.get(topic, 0.0) - weights_before.get(topic, 0.0)
        for topic in now.weights.keys() | weights_before.keys()
    }
    more = sorted((topic for topic in moved if moved[topic] > 0), key=lambda topic: (-moved[topic], topic))
    less = sorted((topic for topic in moved if moved[topic] < 0), key=lambda topic: (moved[topic], topic))
    said = "were changed by a decision" if now.drift is Drift.DELIBERATE_PIVOT else "have drifted over the last month"
    parts = [
        f"{word}: " + ", ".join(_share(topic, weights_before, now.weights) for topic in topics[:_MOST_TOPICS])
        for word, topics in (("more", more), ("less", less))
        if topics
    ]
    return f"The priorities {said}; " + "; ".join(parts) + "."


def _share(topic: str, before: Mapping[str, float], now: Mapping[str, float]) -> str:
    return f"{topic} ({before.get(topic, 0.0):.0%} → {now.get(topic, 0.0):.0%})"
