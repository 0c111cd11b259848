"""Links that rules find between two memories, what a model's proposal must pass, and which links a memory keeps.

The floor without a model, for a memory and a neighbour of it; a weight lies in 0..1:

    PRECEDES           same chat session, or at most 24 h apart: max(0.3, 1 - hours / 24), from the earlier to the later
    CONCURRENT_WITH    in the same minute, or two closed validity intervals overlap: 1; then neither precedes the other
    SHARES_EMOTION     top emotion equal, both at least 0.5, arousal at most 0.2 apart: the smaller of the two
    CONTRASTS_EMOTION  valences of unlike sign, at least 1.0 apart: half of what they are apart
    REFERS_TO          n shared names, none known to many: 1 - 0.2^n, from the later to the earlier
    SIMILAR_TO         cosine above 0.7: the cosine

A name that only these two memories share counts as one; one that k memories know counts 1 / (1 + ln(k - 1)), since
what it brings is shared out among all of them (the fan effect: Anderson 1974). Causal types and EVOLVES_FROM come from
a model or a caller only.

Source: constants.md 2.4. V35.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice

from graph_memory.domain.asked import LinkProposal
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.link import FAMILY, Link, LinkFamily, LinkType, link_id, twins
from graph_memory.domain.memory import EMOTIONS, Emotion
from graph_memory.domain.vocabulary import MemoryId, NodeId

_TOLERANCE = 1e-9
_HOUR, _MINUTE = timedelta(hours=1), timedelta(minutes=1)
_MOST_NAMES_TOLD = 5  # of the shared names, in a link's reason

RULE, MODEL, BY_HAND = "rule", "model", "user"  # who made a link

# What the floor can make, and what a memory's share of links is counted over.
_COUNTED = frozenset(
    {LinkFamily.CAUSAL, LinkFamily.TEMPORAL, LinkFamily.ENTITY, LinkFamily.EMOTIONAL, LinkFamily.SEMANTIC}
)
# What a model may propose: what two texts tell. That they are alike is measured, and sequence is stored.
_PROPOSABLE = frozenset(
    each for each, family in FAMILY.items() if family in _COUNTED - {LinkFamily.SEMANTIC} and each is not LinkType.NEXT
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRules:
    """The numbers of discovery (settings `links.*`)."""

    similar_cosine: float = 0.7
    temporal_window_hours: float = 24.0
    temporal_floor: float = 0.3
    emotion_min_intensity: float = 0.5
    emotion_arousal_gap: float = 0.2
    contrast_gap: float = 1.0
    entity_weight: float = 0.8
    shared_names_most: int = 2  # a name that more memories know links none of them
    accept_confidence: float = 0.5  # least confidence of a model's proposal
    max_per_memory: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Linkable:
    """What the rules look at of a memory."""

    id: MemoryId
    occurred_at: datetime
    valid_at: datetime
    invalid_at: datetime
    dated: bool = True  # somebody said when it happened; else it counts as happening when it is told
    session_id: str | None = None
    emotion: Emotion = field(default_factory=Emotion)

    @property
    def order(self) -> tuple[datetime, str]:
        """Earlier memories first; of one instant by id."""
        return self.occurred_at, self.id


@dataclass(frozen=True, slots=True, order=True)
class SharedName:
    """A person or entity that two memories name."""

    known_by: int  # how many memories name it, these two counted
    name: str


def floor_links(
    memory: Linkable,
    other: Linkable,
    *,
    cosine: float | None = None,
    shared: Sequence[SharedName] = (),
    rules: LinkRules,
    at: datetime,
) -> list[Link]:
    """The links that rules find between two memories of one user, at most one of each family.

    Args:
        memory, other: two memories, in any order: the links are the same.
        cosine: of their vectors; None: not known.
        shared: names that both name.
        rules: the numbers.
        at: now.
    """
    earlier, later = sorted((memory, other), key=lambda each: each.order)
    found = [
        _temporal(earlier, later, rules),
        _emotional(earlier, later, rules),
        _by_names(earlier, later, shared, rules),
        _similar(earlier, later, cosine, rules),
    ]
    return [
        Link(
            type=kind,
            source=NodeId(source.id),
            target=NodeId(target.id),
            weight=min(1.0, weight),
            reason=reason,
            origin=RULE,
            discovered=True,
            created_at=at,
        )
        for kind, source, target, weight, reason in filter(None, found)
    ]


_Found = tuple[LinkType, Linkable, Linkable, float, str]


def _temporal(earlier: Linkable, later: Linkable, rules: LinkRules) -> _Found | None:
    """None between memories that were stored in one go without a date or a session: when they happened is not known."""
    same_minute = _minute(earlier.occurred_at) == _minute(later.occurred_at)
    same_session = earlier.session_id is not None and earlier.session_id == later.session_id
    if same_minute and not (earlier.dated or later.dated or same_session):
        return None
    if reason := _concurrent(earlier, later):
        return LinkType.CONCURRENT_WITH, earlier, later, 1.0, reason
    hours = (later.occurred_at - earlier.occurred_at) / _HOUR
    if not same_session and hours > rules.temporal_window_hours + _TOLERANCE:
        return None
    reason = f"{_span(hours)} earlier" + (" in the same session" if same_session else "")
    return LinkType.PRECEDES, earlier, later, precedence_weight(hours, rules), reason


def precedence_weight(hours: float, rules: LinkRules) -> float:
    """How much PRECEDES weighs over a time: max(0.3, 1 - hours / 24)."""
    return max(rules.temporal_floor, 1.0 - hours / rules.temporal_window_hours)


def _concurrent(earlier: Linkable, later: Linkable) -> str | None:
    if _minute(earlier.occurred_at) == _minute(later.occurred_at):
        return "in the same minute"
    closed = earlier.invalid_at < FAR_FUTURE and later.invalid_at < FAR_FUTURE
    if closed and earlier.valid_at < later.invalid_at and later.valid_at < earlier.invalid_at:
        return "held at the same time"
    return None


def _minute(instant: datetime) -> datetime:
    return instant.replace(second=0, microsecond=0)


def _span(hours: float) -> str:
    if hours < 1.0:
        return f"{hours * 60:.0f} min"
    return f"{hours:.0f} h" if hours < 48.0 else f"{hours / 24:.0f} days"


def _emotional(earlier: Linkable, later: Linkable, rules: LinkRules) -> _Found | None:
    """One that is shared rather than one that contrasts, should both hold."""
    if shared := _shared_emotion(earlier.emotion, later.emotion, rules):
        name, weight = shared
        return LinkType.SHARES_EMOTION, earlier, later, weight, f"both {name}"
    first, second = earlier.emotion.valence, later.emotion.valence
    if first * second < 0.0 and abs(first - second) >= rules.contrast_gap - _TOLERANCE:
        reason = f"valence {first:+.2f} and {second:+.2f}"
        return LinkType.CONTRASTS_EMOTION, earlier, later, abs(first - second) / 2.0, reason
    return None


def _shared_emotion(first: Emotion, second: Emotion, rules: LinkRules) -> tuple[str, float] | None:
    (name, strength), (other_name, other_strength) = _top(first), _top(second)
    weight = min(strength, other_strength)
    alike = name == other_name and abs(first.arousal - second.arousal) <= rules.emotion_arousal_gap + _TOLERANCE
    return (name, weight) if alike and weight >= rules.emotion_min_intensity - _TOLERANCE else None


def _top(emotion: Emotion) -> tuple[str, float]:
    """The strongest of the eight; of equals the first in their order."""
    name = max(EMOTIONS, key=lambda each: getattr(emotion, each))
    return name, getattr(emotion, name)


def _by_names(earlier: Linkable, later: Linkable, shared: Sequence[SharedName], rules: LinkRules) -> _Found | None:
    rare = sorted(each for each in shared if each.known_by <= rules.shared_names_most)
    if not rare:
        return None
    told = ", ".join(each.name for each in rare[:_MOST_NAMES_TOLD]) + (", …" if len(rare) > _MOST_NAMES_TOLD else "")
    return LinkType.REFERS_TO, later, earlier, shared_names_weight(rare, rules), f"both name {told}"


def shared_names_weight(shared: Iterable[SharedName], rules: LinkRules) -> float:
    """How much the names that two memories share weigh: 1 - 0.2^n, n the sum of what each name counts, 0..1 each."""
    counted = sum(1.0 / (1.0 + math.log(max(2, each.known_by) - 1)) for each in shared)
    return 1.0 - (1.0 - rules.entity_weight) ** counted


def _similar(earlier: Linkable, later: Linkable, cosine: float | None, rules: LinkRules) -> _Found | None:
    if cosine is None or cosine <= rules.similar_cosine + _TOLERANCE:
        return None
    return LinkType.SIMILAR_TO, earlier, later, cosine, f"cosine {cosine:.2f}"


def accepted_links(
    proposals: Iterable[LinkProposal],
    asked: Mapping[MemoryId, Linkable],
    pairs: Collection[frozenset[MemoryId]],
    *,
    rules: LinkRules,
    at: datetime,
    most_characters: int,
) -> tuple[list[Link], int]:
    """Of a model's proposals those that may be written, at most one a pair, the surest; and how many were left out.

    Left out is what joins no pair that was asked about, is of no type that texts can tell, is not sure enough, or
    calls earlier what the dates do not.

    Args:
        proposals: the answer.
        asked: every memory that was asked about.
        pairs: the pairs that were.
        rules: the numbers.
        at: now.
        most_characters: a reason is cut after so many.
    """
    usable = [each for each in proposals if _is_acceptable(each, asked, pairs, rules)]
    surest: dict[frozenset[MemoryId], LinkProposal] = {}
    for each in sorted(usable, key=lambda each: (-each.confidence, each.type, each.source)):
        surest.setdefault(frozenset({each.source, each.target}), each)
    links = [
        Link(
            type=each.type,
            source=NodeId(each.source),
            target=NodeId(each.target),
            weight=each.confidence,
            confidence=each.confidence,
            reason=each.reason[:most_characters] if each.reason else None,
            origin=MODEL,
            discovered=True,
            created_at=at,
        )
        for each in surest.values()
    ]
    return links, len(list(proposals)) - len(links)


def _is_acceptable(
    proposal: LinkProposal,
    asked: Mapping[MemoryId, Linkable],
    pairs: Collection[frozenset[MemoryId]],
    rules: LinkRules,
) -> bool:
    ends = frozenset({proposal.source, proposal.target})
    if len(ends) < 2 or ends not in pairs or proposal.type not in _PROPOSABLE:
        return False
    if not rules.accept_confidence - _TOLERANCE <= proposal.confidence <= 1.0:
        return False
    first, second = asked[proposal.source], asked[proposal.target]
    if proposal.type is LinkType.PRECEDES:
        return first.occurred_at < second.occurred_at
    if proposal.type is LinkType.SUCCEEDS:
        return second.occurred_at < first.occurred_at
    return True


def is_counted(link: Link) -> bool:
    """Whether a link is one of the twenty: found or made by hand, of the five families; NEXT is sequence alone.

    What a text names stays whatever else is found: it is what the text says.
    """
    if link.family not in _COUNTED or link.type is LinkType.NEXT:
        return False
    return link.discovered or link.origin == BY_HAND


def pruned(links: Iterable[Link], *, most: int) -> list[Link]:
    """The links of one memory that go, so that at most `most` stay: the weakest, those made by hand after all others.

    Of each family that the memory has, the best link stays, even where that makes more than `most`.
    """
    counted = sorted((each for each in links if is_counted(each)), key=_best_first)
    best = {each.family: each for each in reversed(counted)}
    weakest = (each for each in reversed(counted) if best[each.family] is not each)
    return list(islice(weakest, max(0, len(counted) - most)))


def _best_first(link: Link) -> tuple[bool, float, str]:
    return link.origin != BY_HAND, -link.weight, link.id


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPlan:
    """What is to be written of what was found."""

    made: tuple[Link, ...] = ()
    raised: tuple[Link, ...] = ()  # standing links, as they will be
    removed: tuple[Link, ...] = ()  # standing links


def planned(found: Iterable[Link], standing: Iterable[Link], *, rules: LinkRules) -> LinkPlan:
    """What finding links comes to where others stand: new ones, weights raised, and what goes to make room.

    A link that stands, its inverse or a symmetric one from either end, is raised to the larger weight. Of each memory
    that gets a new link at most `max_per_memory` links stay; a link that goes, goes for both its ends, and one that
    would go at once is not made.

    Args:
        found: what was found, in any order.
        standing: all counted links of every memory at an end of one found.
        rules: the numbers.
    """
    web = _Web(standing)
    for link in sorted(found, key=lambda each: each.id):
        web.take(link)
    for node_id in web.grown():
        web.remove(pruned(web.links_of(node_id), most=rules.max_per_memory))
    return web.plan()


class _Web:
    """Links by their ends, as they stand and as they will be."""

    def __init__(self, standing: Iterable[Link]) -> None:
        self._links: dict[str, Link] = {}
        self._by_end: dict[NodeId, set[str]] = defaultdict(set)
        for link in standing:
            self._add(link)
        self._before = dict(self._links)

    def take(self, link: Link) -> None:
        """Makes a link, or raises the one that says the same; what a text names is left as it is."""
        equal = next((self._links[key] for key in _equal_ids(link) if key in self._links), None)
        if equal is None:
            self._add(link)
        elif is_counted(equal) and link.weight > equal.weight + _TOLERANCE:
            self._links[equal.id] = replace(
                equal,
                weight=link.weight,
                confidence=link.confidence or equal.confidence,
                reason=link.reason or equal.reason,
            )

    def grown(self) -> list[NodeId]:
        """The memories that get a new link, in the order of their ids."""
        return sorted({end for key in self._links.keys() - self._before.keys() for end in self._ends(key)})

    def links_of(self, node_id: NodeId) -> list[Link]:
        return [self._links[key] for key in self._by_end[node_id]]

    def remove(self, links: Iterable[Link]) -> None:
        for link in links:
            del self._links[link.id]
            for end in (link.source, link.target):
                self._by_end[end].discard(link.id)

    def plan(self) -> LinkPlan:
        new = self._links.items()
        return LinkPlan(
            made=tuple(each for key, each in new if key not in self._before),
            raised=tuple(each for key, each in new if key in self._before and each != self._before[key]),
            removed=tuple(each for key, each in self._before.items() if key not in self._links),
        )

    def _add(self, link: Link) -> None:
        self._links[link.id] = link
        for end in (link.source, link.target):
            self._by_end[end].add(link.id)

    def _ends(self, key: str) -> tuple[NodeId, NodeId]:
        return self._links[key].source, self._links[key].target


def _equal_ids(link: Link) -> list[str]:
    """The ids under which the same may stand already; of two that share a name either may refer to the other."""
    there, back = {link.type}, set(twins(link.type))
    if link.origin == RULE and link.type is LinkType.REFERS_TO:
        there, back = there | back, there | back
    return [
        *(link_id(each, link.source, link.target) for each in sorted(there)),
        *(link_id(each, link.target, link.source) for each in sorted(back)),
    ]
