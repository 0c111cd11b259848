"""How the user and the agent stand: what the recorded episodes show together, folded one by one in their order.

A relationship is a value that an episode moves on (`after_episode`); from nothing, over all episodes by their start, it
is whole (`relationship_of`). So an episode that is deleted takes its share with it, and one that comes late is put
where it belongs.

Source: constants.md 2.8 (Relationship trust and its table; Agent Friday).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import TypeVar

from graph_memory.domain.asked import RelationshipSigns
from graph_memory.domain.identity import name_key, tidy_name

_TOLERANCE = 1e-9
_DAY = timedelta(days=1)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipRules:
    """The numbers of the relationship (settings `curation.relationship_*`); each is explained where it is used."""

    trust_start: float = 0.3
    trust_sessions: float = 0.2
    trust_streak: float = 0.02
    trust_streak_max: float = 0.2
    band_deep: float = 0.8
    band_strong: float = 0.6
    band_growing: float = 0.4
    streak_shown_from: int = 2
    hours_kept: int = 100
    hours_shown_from: int = 10
    morning_until: int = 12
    afternoon_until: int = 17
    evening_until: int = 21
    topics_kept: int = 20
    topics_shown: int = 5
    jokes_kept: int = 20
    jokes_shown: int = 3
    jokes_given: int = 5
    references_kept: int = 30
    references_shown: int = 3
    reference_context_chars: int = 80
    notes_kept: int = 15
    notes_shown: int = 3
    notes_shown_above: float = 0.6
    note_start: float = 0.5
    note_step: float = 0.1
    analysed_min_seconds: float = 120.0
    analysed_min_turns: int = 6
    analysed_chars: int = 4_000


class Band(StrEnum):
    """How far trust has grown."""

    DEEP = "deep"
    STRONG = "strong"
    GROWING = "growing"
    NONE = "none"


class PartOfDay(StrEnum):
    """When of a day episodes begin."""

    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeShare:
    """What one recorded episode gives to the relationship."""

    started_at: datetime
    seconds: float
    topics: tuple[str, ...] = ()
    summary: str = ""
    signs: RelationshipSigns = field(default_factory=RelationshipSigns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A text as it was first spelt, how often it came up, and what was spoken of the last time."""

    text: str
    count: int
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """How the user likes to be spoken with."""

    trait: str
    value: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """How the user and the agent stand. Lists run from the longest known to the latest."""

    sessions: int = 0
    minutes: float = 0.0
    first_at: datetime | None = None  # the start of the first episode
    last_at: datetime | None = None  # the end of the last
    latest_start_at: datetime | None = None
    last_day: date | None = None  # of the latest start, in the user's zone
    streak_days: int = 0
    longest_streak_days: int = 0
    start_hours: tuple[int, ...] = ()  # of the last episodes, in the user's zone
    topics: tuple[Counted, ...] = ()
    inside_jokes: tuple[str, ...] = ()
    shared_references: tuple[Counted, ...] = ()
    communication_notes: tuple[Note, ...] = ()
    mood: str | None = None


def trust(sessions: int, streak_days: int, rules: RelationshipRules) -> float:
    """Trust, 0..1: min(1, 0.3 + 0.2 log10(sessions + 1) + min(0.02 streak, 0.2)). V40."""
    grown = rules.trust_sessions * math.log10(sessions + 1)
    return min(1.0, rules.trust_start + grown + min(rules.trust_streak * streak_days, rules.trust_streak_max))


def band(trusted: float, rules: RelationshipRules) -> Band:
    """The band of trust, strictly above its bound."""
    bounds = ((rules.band_deep, Band.DEEP), (rules.band_strong, Band.STRONG), (rules.band_growing, Band.GROWING))
    return next((name for bound, name in bounds if trusted > bound + _TOLERANCE), Band.NONE)


def part_of_day(hour: int, rules: RelationshipRules) -> PartOfDay:
    """The part of the day that an hour, 0..23, belongs to; the night ends with the day."""
    if hour < rules.morning_until:
        return PartOfDay.MORNING
    if hour < rules.afternoon_until:
        return PartOfDay.AFTERNOON
    return PartOfDay.EVENING if hour < rules.evening_until else PartOfDay.NIGHT


def peak_hours(relationship: Relationship, rules: RelationshipRules) -> PartOfDay | None:
    """The part of the day in which most of the last episodes began, of equal ones the later met; None with too few."""
    hours = relationship.start_hours
    if len(hours) < rules.hours_shown_from:
        return None
    parts = [part_of_day(hour, rules) for hour in reversed(hours)]
    return Counter(parts).most_common(1)[0][0]  # equal counts stand in the order met, the latest first


def streak(last_day: date | None, streak_days: int, day: date) -> int:
    """The days in a row up to the later of the two days: the same day leaves them, the next adds one, else one.

    An earlier day, of an episode that came late, leaves them too.
    """
    if last_day is None:
        return 1
    if day <= last_day:
        return streak_days
    return streak_days + 1 if day - last_day == _DAY else 1


def is_analysed(seconds: float, turns: int, rules: RelationshipRules) -> bool:
    """Whether an episode is looked at for signs: not when it is both shorter and of fewer turns than that."""
    return seconds >= rules.analysed_min_seconds - _TOLERANCE or turns >= rules.analysed_min_turns


def known_jokes(relationship: Relationship, rules: RelationshipRules) -> tuple[str, ...]:
    """The jokes that the analyser is told of, the latest."""
    return _last(relationship.inside_jokes, rules.jokes_given)


def relationship_of(shares: Iterable[EpisodeShare], *, zone: tzinfo, rules: RelationshipRules) -> Relationship:
    """The relationship that episodes show together, in whatever order they come."""
    whole = Relationship()
    for share in sorted(shares, key=lambda each: each.started_at):
        whole = after_episode(whole, share, zone=zone, rules=rules)
    return whole


def comes_in_order(relationship: Relationship, started_at: datetime) -> bool:
    """Whether an episode begins behind all that are known, so that it can be added without a look at those."""
    return relationship.latest_start_at is None or started_at >= relationship.latest_start_at


def after_episode(before: Relationship, share: EpisodeShare, *, zone: tzinfo, rules: RelationshipRules) -> Relationship:
    """The relationship after one more episode, which begins behind all before it."""
    start, signs = share.started_at.astimezone(zone), share.signs
    days = streak(before.last_day, before.streak_days, start.date())
    end = share.started_at + timedelta(seconds=share.seconds)
    context = share.summary[: rules.reference_context_chars]
    return replace(
        before,
        sessions=before.sessions + 1,
        minutes=before.minutes + share.seconds / 60.0,
        first_at=share.started_at if before.first_at is None else min(before.first_at, share.started_at),
        last_at=end if before.last_at is None else max(before.last_at, end),
        latest_start_at=max(before.latest_start_at or share.started_at, share.started_at),
        last_day=max(before.last_day or start.date(), start.date()),
        streak_days=days,
        longest_streak_days=max(before.longest_streak_days, days),
        start_hours=_last((*before.start_hours, start.hour), rules.hours_kept),
        topics=_counted(before.topics, share.topics, rules.topics_kept),
        inside_jokes=_last(_with_new(before.inside_jokes, signs.new_inside_jokes), rules.jokes_kept),
        shared_references=_counted(
            before.shared_references, signs.shared_references, rules.references_kept, context=context
        ),
        communication_notes=_noted(before.communication_notes, signs.communication_notes, rules),
        mood=signs.mood or before.mood,
    )


def shown_topics(relationship: Relationship, rules: RelationshipRules) -> tuple[str, ...]:
    """The topics that come up most."""
    return tuple(each.text for each in by_count(relationship.topics)[: rules.topics_shown])


def shown_references(relationship: Relationship, rules: RelationshipRules) -> tuple[Counted, ...]:
    """The shared references that come up most."""
    return by_count(relationship.shared_references)[: rules.references_shown]


def shown_jokes(relationship: Relationship, rules: RelationshipRules) -> tuple[str, ...]:
    """The latest inside jokes."""
    return _last(relationship.inside_jokes, rules.jokes_shown)


def shown_notes(relationship: Relationship, rules: RelationshipRules) -> tuple[Note, ...]:
    """The notes that are sure enough, the surest first."""
    sure = [each for each in by_confidence(relationship) if each.confidence > rules.notes_shown_above + _TOLERANCE]
    return tuple(sure[: rules.notes_shown])


def shown_streak(relationship: Relationship, today: date, rules: RelationshipRules) -> int | None:
    """The days in a row, if there are enough of them and the last was today or yesterday."""
    days, last = relationship.streak_days, relationship.last_day
    return days if last is not None and days >= rules.streak_shown_from and today - last <= _DAY else None


def by_count(counted: Sequence[Counted]) -> tuple[Counted, ...]:
    """The most frequent first, of equal ones the latest."""
    return _greatest_first(counted, key=lambda each: each.count)


def by_confidence(relationship: Relationship) -> tuple[Note, ...]:
    """The surest notes first, of equal ones the latest."""
    return _greatest_first(relationship.communication_notes, key=lambda each: each.confidence)


def _counted(known: Sequence[Counted], new: Sequence[str], most: int, *, context: str = "") -> tuple[Counted, ...]:
    """The texts with the new ones counted in; what comes up again moves to the end."""
    held = {name_key(each.text): each for each in known}
    for text in dict.fromkeys(map(tidy_name, new)):
        if not text:
            continue
        before = held.pop(name_key(text), None)
        spelt, count = (before.text, before.count + 1) if before else (text, 1)
        held[name_key(text)] = Counted(text=spelt, count=count, context=context)
    return _kept(tuple(held.values()), most, key=lambda each: each.count)


def _noted(known: Sequence[Note], new: Mapping[str, str], rules: RelationshipRules) -> tuple[Note, ...]:
    """The notes with the new ones: a trait that comes again is surer, and its newest value holds."""
    held = {name_key(each.trait): each for each in known}
    for trait, value in new.items():
        before = held.pop(name_key(trait), None)
        confidence = min(1.0, before.confidence + rules.note_step) if before else rules.note_start
        held[name_key(trait)] = Note(
            trait=before.trait if before else tidy_name(trait), value=value, confidence=confidence
        )
    return _kept(tuple(held.values()), rules.notes_kept, key=lambda each: each.confidence)


def _with_new(known: Sequence[str], new: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *new)))


def _greatest_first(values: Sequence[T], *, key: Callable[[T], float]) -> tuple[T, ...]:
    places = sorted(range(len(values)), key=lambda place: (-key(values[place]), -place))
    return tuple(values[place] for place in places)


def _kept(values: tuple[T, ...], most: int, *, key: Callable[[T], float]) -> tuple[T, ...]:
    """The `most` greatest, of equal ones the latest, in the order that they had."""
    if len(values) <= most:
        return values
    places = sorted(range(len(values)), key=lambda place: (key(values[place]), place))
    return tuple(values[place] for place in sorted(places[len(places) - most :]))


def _last(values: tuple[T, ...], most: int) -> tuple[T, ...]:
    return values[max(0, len(values) - most) :]
