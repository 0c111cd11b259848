"""People as the memory knows them: what is said of them, what they did, and the numbers that rule all of it.

Source: constants.md 2.8 (Person mentions, Person trust; Agent Friday's trust graph).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from graph_memory.domain.identity import name_key

_THE_USER = frozenset({"i", "me", "myself", "we", "us", "user", "the user", "yo", "mí", "nosotros", "usuario"})
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRules:
    """The numbers of people and trust (settings `curation.person_*`); each is explained where it is used."""

    start_trust: float = 0.5
    weight_reliability: float = 0.30
    weight_emotional: float = 0.20
    weight_timeliness: float = 0.15
    weight_information: float = 0.25
    weight_expertise: float = 0.10
    evidence_half_life_days: float = 30.0
    least_impact: float = 0.1
    recompute_every: int = 5
    step: float = 0.15
    decay_after_days: float = 1.0
    decay_per_day: float = 0.001
    decay_floor: float = 0.3
    label_very_high: float = 0.85
    label_high: float = 0.7
    label_moderate: float = 0.55
    label_developing: float = 0.4
    label_low: float = 0.25
    most_people: int = 200
    most_evidence: int = 50
    most_communications: int = 30
    most_sentiments: int = 20
    evidence_days: float = 90.0
    evidence_always: int = 5
    keep_recency: float = 0.7
    keep_impact: float = 0.3
    prompt_most: int = 15
    prompt_recency: float = 0.5
    prompt_recency_days: float = 14.0
    prompt_trust: float = 0.3
    prompt_use: float = 0.2
    prompt_full_use: int = 20
    trend_last: int = 5
    trend_least: int = 3
    trend_beyond: float = 0.2
    view_expertises: int = 5
    view_evidence: int = 3
    listed: int = 10
    match_alias: float = 1.0
    match_name: float = 0.95
    match_one_edit: float = 0.8
    match_two_edits: float = 0.65
    match_first_name: float = 0.75
    alias_one_edit: float = 0.85
    alias_two_edits: float = 0.7
    alias_by_hand: float = 0.9
    one_edit_letters: int = 6
    two_edits_letters: int = 8


class EvidenceType(StrEnum):
    """What a piece of evidence shows about a person."""

    PROMISE_KEPT = "promise_kept"
    PROMISE_BROKEN = "promise_broken"
    ACCURATE_INFO = "accurate_info"
    INACCURATE_INFO = "inaccurate_info"
    HELPFUL_ACTION = "helpful_action"
    UNHELPFUL_ACTION = "unhelpful_action"
    EMOTIONAL_SUPPORT = "emotional_support"
    USER_STATED = "user_stated"
    OBSERVED = "observed"
    INFERRED = "inferred"


class Direction(StrEnum):
    """Who wrote or spoke to whom."""

    INBOUND = "inbound"
    OUTBOUND = "outbound"
    BIDIRECTIONAL = "bidirectional"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonMention:
    """A person in a text, as it was extracted."""

    name: str
    context: str = ""
    sentiment: float = 0.0  # -1..1
    domains: tuple[str, ...] = ()
    evidence_type: EvidenceType = EvidenceType.OBSERVED


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One thing that a person did or that was said of them. One interaction."""

    at: datetime
    sentiment: float
    type: EvidenceType = EvidenceType.OBSERVED
    domains: tuple[str, ...] = ()
    context: str = ""

    @property
    def impact(self) -> float:
        """How much it says, -1..1."""
        return max(-1.0, min(1.0, self.sentiment))


@dataclass(frozen=True, slots=True, kw_only=True)
class Communication:
    """One exchange with a person. One interaction."""

    at: datetime
    channel: str
    direction: Direction
    summary: str = ""
    sentiment: float = 0.0


def domain_key(domain: str) -> str:
    """The form in which two spellings of a domain of expertise are one."""
    return name_key(domain)


def mentions_of_others(mentions: Iterable[PersonMention], *, own_names: Collection[str]) -> list[PersonMention]:
    """The mentions that are not of the user, by the user's own names or by words for oneself."""
    own = _THE_USER | {name_key(name) for name in own_names}
    return [mention for mention in mentions if name_key(mention.name) not in own]


def days_between(earlier: datetime, later: datetime) -> float:
    """Days with fractions, never below 0."""
    return max(0.0, (later - earlier) / _DAY)
