"""What neighbours and use do to links and activation: boost, noise, Hebbian steps, and the fading of sources.

Source: constants.md 2.2 (boost, noise), 2.4 (Hebbian), 2.7 (fading of sources).
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from math import log


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory that an associative link leads to."""

    weight: float  # of the link, 0..1
    base_level: float  # its own activation, without boost and noise
    fan: int  # how many associative links it has, at least 1


def boost(neighbours: Iterable[Neighbour], *, cap: float) -> float:
    """What active neighbours add to activation, 0..cap; an inactive one takes nothing away."""
    return min(cap, sum(each.weight * max(0.0, each.base_level) / each.fan for each in neighbours))


def daily_draw(memory_id: str, day: date) -> float:
    """A number strictly between 0 and 1 that stays the same for a memory all day."""
    digest = hashlib.sha256(f"{memory_id}|{day.isoformat()}".encode()).digest()
    return (int.from_bytes(digest[:8], "big") + 0.5) / 2.0**64


def noise(draw: float, *, scale: float) -> float:
    """Logistic noise s·ln(u / (1 - u)) for a draw u strictly between 0 and 1."""
    return scale * log(draw / (1.0 - draw))


def strengthened(weight: float, *, rate: float) -> float:
    """A link's weight after both its ends were in an answer: w + r(1 - w), never above 1."""
    return weight + rate * (1.0 - weight)


def misled(weight: float, *, step: float) -> float:
    """A link's weight after an answer that it led to was called misleading; never below 0."""
    return max(0.0, weight - step)


def fade_factor(cosine: float, *, least: float, span: float) -> float:
    """What a source keeps of its base strength once it was distilled: the more central, the less."""
    return least + span * (1.0 - cosine)
