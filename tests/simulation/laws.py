"""The laws that no life may break, whatever happens in it (the issue of this part, line 4). Each tells its breaches."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from graph_memory.domain.change import Action
from graph_memory.domain.decay import StrengthCurve
from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Count
from graph_memory.domain.vocabulary import MemoryId, Source
from tests.simulation.life import Life, Purpose
from tests.simulation.record import Context, Played, Shown

_SAFE = timedelta(days=14)  # so long after its making or its last use nothing is hidden without a reason
_TOLERANCE = 1e-9
_PAIRED = (Purpose.GROWING, Purpose.BURST)
# Which audit rows each count of a report stands for. Links that are found have no row each: they tell themselves.
REPORTED: Mapping[Count, Callable[["Trace"], bool]] = {
    Count.STATES_CHANGED: lambda row: row.action == Action.STATE,
    Count.PROMOTED: lambda row: row.action == Action.PROMOTE and row.says("score "),
    Count.MERGED: lambda row: row.action == Action.MERGE and row.field == "expired_at",
    Count.DISTILLED: lambda row: row.says("distilled from ") or row.says("distilled anew"),
    Count.FADED: lambda row: row.action == Action.FADE,
    Count.SCHEMAS: lambda row: row.says("induced from ") or row.says("found again in "),
    Count.INSIGHTS: lambda row: row.action == Action.ADD and row.says(Source.CONSOLIDATED),
    Count.CONTRADICTIONS: lambda row: row.field in ("confidence", "links") and "(audit by " in (row.reason or ""),
    Count.PRUNED: lambda row: row.action == Action.EXPIRE and row.says("not observed again"),
}
_KEPT: Mapping[str, Callable[[Memory], object]] = {
    "base_strength": lambda memory: memory.strength.base_strength,
    "confidence": lambda memory: memory.confidence,
    "state": lambda memory: memory.state.value,
}
PENALTIES = frozenset({Action.SUPPRESS, Action.FADE, Action.CONTRADICT, Action.WEAKEN, Action.SUPERSEDE, Action.NEGATE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One row of the audit trail, as the graph holds it."""

    target_id: str
    at: datetime
    action: str
    field: str | None
    before: Any
    after: Any
    reason: str | None

    @classmethod
    def from_row(cls, row: Mapping[str, object]) -> "Trace":
        written = dict(row)
        for name in ("before", "after"):
            value = written[name]
            written[name] = None if value is None else json.loads(str(value))
        return cls(**written)  # type: ignore[arg-type]  # the statement names these columns

    def says(self, opening: str) -> bool:
        """Whether the reason begins so."""
        return (self.reason or "").startswith(opening)

    def steps(self, field: str) -> Iterator[tuple[MemoryId, Any, Any]]:
        """Whose field the row changed, from what to what: its target's, or that of each memory it names."""
        if self.field == field and isinstance(self.after, dict):
            yield from ((MemoryId(key), self.before[key], self.after[key]) for key in self.after)
        elif self.field == field:
            yield MemoryId(self.target_id), self.before, self.after
        elif self.field is None and isinstance(self.after, dict) and field in self.after:
            yield MemoryId(self.target_id), self.before[field], self.after[field]


@dataclass(frozen=True, slots=True)
class Superseded:
    """A SUPERSEDED_BY link: from when to when the older was replaced by the newer."""

    older: str
    newer: str
    since: datetime
    until: datetime


def strength_breaches(memories: Iterable[Memory], curve: StrengthCurve, at: datetime) -> Iterator[str]:
    """A strength outside its range, or a base above what a strength can be."""
    for memory in memories:
        strength, base = curve.strength(memory.strength, at), memory.strength.base_strength
        if not curve.floor - _TOLERANCE <= strength <= curve.maximum + _TOLERANCE:
            yield f"{at:%d %b}: strength {strength} of {memory.text!r}"
        if not 0.0 < base <= curve.maximum + _TOLERANCE:
            yield f"{at:%d %b}: base {base} of {memory.text!r}"
        if not 0.0 <= memory.confidence <= 1.0:
            yield f"{at:%d %b}: confidence {memory.confidence} of {memory.text!r}"


def pin_breaches(memories: Iterable[Memory], at: datetime) -> Iterator[str]:
    """A pinned memory that is hidden."""
    for memory in memories:
        if memory.pinned and memory.visible_until <= at:
            yield f"{at:%d %b}: pinned and hidden: {memory.text!r}"


def hidden_breaches(
    memories: Iterable[Memory], ratios: Mapping[MemoryId, float], curve: StrengthCurve, at: datetime
) -> Iterator[str]:
    """A memory hidden within two weeks of its making or last use, though its penalties undone it would still be.

    Args:
        ratios: of each memory, to which share its penalties have brought its base.
    """
    for memory in memories:
        fresh_since = max(memory.interval.created_at, memory.last_accessed_at or memory.interval.created_at)
        if memory.visible_until > at or at - fresh_since >= _SAFE:
            continue
        ratio = ratios.get(memory.id, 1.0)
        undone = replace(memory.strength, base_strength=memory.strength.base_strength / ratio)
        if ratio >= 1.0 or curve.visible_until(undone) <= at:
            yield f"{at:%d %b}: hidden {(at - fresh_since).days} days after use, unexplained: {memory.text!r}"


def penalty_ratios(trail: Iterable[Trace]) -> dict[MemoryId, float]:
    """To which share of it each memory's base was brought by all penalties in the trail."""
    ratios: dict[MemoryId, float] = defaultdict(lambda: 1.0)
    for row in trail:
        if row.action in PENALTIES:
            for memory_id, before, after in row.steps("base_strength"):
                ratios[memory_id] *= float(after) / float(before)
    return dict(ratios)


def trail_breaches(memories: Iterable[Memory], trail: Iterable[Trace]) -> Iterator[str]:
    """A base, belief or state that the trail does not lead to, each step beginning where the last one ended."""
    by_id = {memory.id: memory for memory in memories}
    known: dict[tuple[MemoryId, str], object] = {}
    for row in trail:
        for field in _KEPT:
            for memory_id, before, after in row.steps(field):
                if not _equal(known.get((memory_id, field), before), before):
                    yield f"{field} of {memory_id} went from {known[memory_id, field]} to {before} without a row"
                known[memory_id, field] = after
    for (memory_id, field), value in known.items():
        if memory_id in by_id and not _equal(value, _KEPT[field](by_id[memory_id])):
            yield f"{field} of {memory_id} is {_KEPT[field](by_id[memory_id])}, the trail ends with {value}"


def _equal(one: object, other: object) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= _TOLERANCE
    return one == other


def supersession_breaches(shown: Iterable[Shown], pairs: Iterable[Superseded]) -> Iterator[str]:
    """An answer in the default mode that holds the older one of a pair."""
    retired: dict[str, list[Superseded]] = defaultdict(list)
    for pair in pairs:
        retired[pair.older].append(pair)
    for answer in shown:
        for memory_id in answer.ids:
            if any(pair.since <= answer.at < pair.until for pair in retired[memory_id]):
                yield f"{answer.at:%d %b %H:%M}: superseded, yet shown: {memory_id}"


def spacing_breaches(life: Life, played: Played) -> Iterator[str]:
    """A fact asked about at growing gaps that does not outlive the one asked about as often in a burst."""
    for growing, burst in compared_pairs(life, played):
        if growing.visible_until <= burst.visible_until:
            yield f"{_fading(growing)}, {_fading(burst)}"


def compared_pairs(life: Life, played: Played) -> Iterator[tuple[Memory, Memory]]:
    """The pairs of which the one was used whenever it was asked about, and the other at no other time.

    An answer to any question uses all that it holds, so a fact may be used that nobody asked about.
    """
    by_id = {memory.id: memory for memory in played.memories}
    asked = Counter(reply.asked.about for reply in played.replies if reply.asked.purpose in _PAIRED)
    for pair in life.pairs:
        growing, burst = by_id[played.ids[pair.growing]], by_id[played.ids[pair.burst]]
        if growing.access_count >= asked[pair.growing] and burst.access_count <= asked[pair.burst]:
            yield growing, burst


def _fading(memory: Memory) -> str:
    spaced = memory.strength.spaced_access_count
    return f"{memory.text!r} with {spaced} spaced uses fades on {memory.visible_until:%d %b %Y}"


def context_breaches(contexts: Iterable[Context]) -> Iterator[str]:
    """A text for an agent that is longer than its budget."""
    for context in contexts:
        if context.tokens > context.budget:
            yield f"{context.at:%d %b}: {context.tokens} tokens, {context.budget} allowed"


def report_breaches(reported: Mapping[Count, int], trail: Sequence[Trace]) -> Iterator[str]:
    """A count in the reports of sleep that is not the number of audit rows of its kind."""
    for count, is_told in REPORTED.items():
        written = sum(map(is_told, trail))
        if reported.get(count, 0) != written:
            yield f"the runs report {reported.get(count, 0)} {count}, the trail has {written}"
