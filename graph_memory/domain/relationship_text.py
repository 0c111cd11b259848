"""The relationship as lines for an agent: the few things of each kind that are sure enough to be shown."""

from collections.abc import Iterable, Iterator
from datetime import date

from graph_memory.domain.relationship import (
    Band,
    PartOfDay,
    Relationship,
    RelationshipRules,
    band,
    peak_hours,
    shown_jokes,
    shown_notes,
    shown_references,
    shown_streak,
    shown_topics,
    trust,
)

_TRUST = {
    Band.DEEP: "you trust each other deeply",
    Band.STRONG: "you trust each other well",
    Band.GROWING: "trust is growing",
}
_WHEN = {
    PartOfDay.MORNING: "mostly in the morning",
    PartOfDay.AFTERNOON: "mostly in the afternoon",
    PartOfDay.EVENING: "mostly in the evening",
    PartOfDay.NIGHT: "mostly at night",
}


def relationship_lines(relationship: Relationship, *, today: date, rules: RelationshipRules) -> list[str]:
    """What an agent should know of how it stands with the user; nothing before the first episode.

    Args:
        relationship: as it stands.
        today: the calendar day of the user, for the streak.
        rules: how many of each kind are shown, and from when on.
    """
    if not relationship.sessions:
        return []
    references = [
        f"{each.text} ({each.context})" if each.context else each.text for each in shown_references(relationship, rules)
    ]
    notes = [f"{each.trait}: {each.value}" for each in shown_notes(relationship, rules)]
    listed = (
        ("Often about", ", ".join(shown_topics(relationship, rules))),
        ("Inside jokes", "; ".join(shown_jokes(relationship, rules))),
        ("Shared references", "; ".join(references)),
        ("How they like to be spoken with", "; ".join(notes)),
        ("Mood last time", relationship.mood or ""),
    )
    return [_standing(relationship, today, rules), *(f"{name}: {text}" for name, text in listed if text)]


def _standing(relationship: Relationship, today: date, rules: RelationshipRules) -> str:
    return ", ".join(_facts(relationship, today, rules))


def _facts(relationship: Relationship, today: date, rules: RelationshipRules) -> Iterator[str]:
    sessions = relationship.sessions
    yield f"{sessions} conversation{'s' if sessions > 1 else ''}"
    if days := shown_streak(relationship, today, rules):
        yield f"{days} days in a row"
    if part := peak_hours(relationship, rules):
        yield _WHEN[part]
    yield from _trusted(relationship, rules)


def _trusted(relationship: Relationship, rules: RelationshipRules) -> Iterable[str]:
    reached = band(trust(relationship.sessions, relationship.streak_days, rules), rules)
    return [_TRUST[reached]] if reached in _TRUST else []
