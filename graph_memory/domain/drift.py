"""What matters to a user, and whether it changes: priority snapshots and drift (constants.md 2.7, step 8).

A snapshot weighs the topics of the last 30 days by how often they were mentioned and how strong those memories are. Two
snapshots are alike as far as their weights overlap. Where they are not, either a decision says so (a pivot) or nobody
decided it (drift).

Topics. A decision is about its topic key; any other memory about the bucket that the caller put it into. Where there is
no such word (a decision without a topic of its own, the default and the general bucket) it is about the entities and
people that it refers to, each of them, but for its speaker; and about its bucket where it refers to none.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.identity import name_key
from graph_memory.domain.text import normalised, script_terms, words
from graph_memory.domain.vocabulary import DEFAULT_BUCKET, GENERAL_BUCKET, MemoryId, UserId

_TOLERANCE = 1e-9
NO_TOPICS = frozenset({DEFAULT_BUCKET, GENERAL_BUCKET})  # where what is about nothing in particular goes


class Drift(StrEnum):
    """How the priorities of a user change."""

    STABLE = "stable"
    GRADUAL_DRIFT = "gradual_drift"
    DELIBERATE_PIVOT = "deliberate_pivot"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftRules:
    """The numbers of drift."""

    stable_similarity: float = 0.6  # from which on two snapshots are alike
    changed_weight: float = 0.05  # from which on the weight of a topic has changed
    most_topics: int = 50  # of a snapshot, the weightiest


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicMentions:
    """How often a topic was mentioned, and how strong those memories are now."""

    topic: str
    mentions: int
    mean_strength: float  # 0.05..2


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentDecision:
    """A decision of the last days, as far as it can show that a change was meant."""

    id: MemoryId
    topics: tuple[str, ...]  # its topic key, domain, bucket and the names it refers to, folded; so for what it replaced
    superseded_topics: tuple[str, ...] = ()  # empty: it replaced nothing
    reasoning: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrioritySnapshot:
    """What mattered to a user at an instant, and how that differs from a month before."""

    id: str
    user_id: UserId
    at: datetime
    weights: Mapping[str, float]  # the weightiest topic first; of sum 1
    drift: Drift = Drift.STABLE
    similarity: float | None = None  # None: there was nothing to compare with yet
    compared_with: str | None = None  # the id of the earlier snapshot
    decision_ids: tuple[MemoryId, ...] = field(default=())  # what makes a pivot of a drift

    @property
    def too_early(self) -> bool:
        """Whether it is called stable only because there is no old snapshot to compare with."""
        return self.compared_with is None


def topics_of(*, topic_key: str | None, bucket: str, names: Sequence[str]) -> tuple[str, ...]:
    """The topics of a memory, folded.

    Args:
        topic_key: of a decision that was given one.
        names: of the entities and people that it refers to, its speaker left out.
    """
    if topic_key:
        return (name_key(topic_key),)
    if bucket not in NO_TOPICS:
        return (name_key(bucket),)
    return tuple(dict.fromkeys(map(name_key, names))) or (name_key(bucket),)


def priorities(mentions: Iterable[TopicMentions], *, rules: DriftRules = DriftRules()) -> dict[str, float]:
    """The weight of each topic: its share of all mentions times its mean strength, scaled to a sum of 1.

    Topics beyond the bound are left out before the scaling. Empty when nothing was mentioned.
    """
    mentions = list(mentions)
    total = sum(each.mentions for each in mentions)
    raw = {each.topic: each.mentions / total * each.mean_strength for each in mentions if each.mentions}
    kept = sorted(raw.items(), key=lambda item: (-item[1], item[0]))[: rules.most_topics]
    whole = sum(weight for _, weight in kept)
    return {topic: weight / whole for topic, weight in kept} if whole > 0 else {}


def similarity(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How far two snapshots overlap, 0..1: the sum of the lesser weights over the sum of the greater (V38)."""
    topics = one.keys() | other.keys()
    greater = sum(max(one.get(topic, 0.0), other.get(topic, 0.0)) for topic in topics)
    lesser = sum(min(one.get(topic, 0.0), other.get(topic, 0.0)) for topic in topics)
    return lesser / greater if greater else 1.0


def changed_topics(one: Mapping[str, float], other: Mapping[str, float], *, least: float) -> frozenset[str]:
    """The topics whose weights differ by at least so much."""
    return frozenset(
        topic
        for topic in one.keys() | other.keys()
        if abs(one.get(topic, 0.0) - other.get(topic, 0.0)) >= least - _TOLERANCE
    )


def compared(
    now: PrioritySnapshot, old: PrioritySnapshot, decisions: Sequence[RecentDecision], *, rules: DriftRules
) -> PrioritySnapshot:
    """The later of two snapshots with its likeness to the earlier and its class of drift.

    Args:
        decisions: those of the last days, of which some may show that the change was meant.
    """
    alike = similarity(now.weights, old.weights)
    now = replace(now, similarity=alike, compared_with=old.id, drift=Drift.STABLE, decision_ids=())
    if alike >= rules.stable_similarity - _TOLERANCE:
        return now
    changed = changed_topics(now.weights, old.weights, least=rules.changed_weight)
    meant = tuple(each.id for each in decisions if shows_intent(each, changed))
    return replace(now, drift=Drift.DELIBERATE_PIVOT if meant else Drift.GRADUAL_DRIFT, decision_ids=meant)


def shows_intent(decision: RecentDecision, changed: Set[str]) -> bool:
    """Whether a decision means a change: it replaced another about what changed, or its reasoning names that."""
    about = {*decision.topics, *decision.superseded_topics} - NO_TOPICS
    if decision.superseded_topics and changed & about:
        return True
    return any(_names(decision.reasoning or "", topic) for topic in changed - NO_TOPICS)


def _names(text: str, topic: str) -> bool:
    """Whether a text holds a topic, word for word; in scripts without blanks letter for letter."""
    if script_terms(topic):
        return normalised(topic) in normalised(text)
    said, sought = words(text), words(topic)
    return bool(sought) and any(
        said[start : start + len(sought)] == sought for start in range(len(said) - len(sought) + 1)
    )
