"""A person with all that trust in them rests on, and what an exchange, an alias, a merge or an erasure makes of them.

Every function gives the person as they shall be; the store writes what differs.

Source: constants.md 2.8 (Person mentions, Person trust), operations.md (mergePeople, erase).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from graph_memory.domain.name_resolution import Alias, NamedPerson, alias_by_hand
from graph_memory.domain.people import Communication, Evidence, PersonRules
from graph_memory.domain.people_lists import (
    KnownPerson,
    communications_kept,
    evidence_kept,
    sentiments_kept,
    shown_expertise,
    strongest_evidence,
)
from graph_memory.domain.trust import (
    Trend,
    Trust,
    TrustLabel,
    fresh_trust,
    sentiment_trend,
    trust_after,
    trust_from,
    trust_label,
)
from graph_memory.domain.vocabulary import MemoryId, NodeId

MOST_NOTES = 50  # on one person; ours


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptEvidence(Evidence):
    """A piece of evidence as it is kept: where it came from, and how the person was called there."""

    id: str
    name: str = ""
    memory_id: MemoryId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCommunication(Communication):
    """An exchange as it is kept."""

    id: str
    memory_id: MemoryId | None = None


_Kept = TypeVar("_Kept", KeptEvidence, KeptCommunication)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """What one person is to another: "sister" from Ana to Marta says that Marta is Ana's sister."""

    other_id: NodeId
    other_name: str
    label: str
    outgoing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person as kept. `trust` is as stored, without the fading of reads."""

    id: NodeId
    name: str
    trust: Trust
    created_at: datetime
    aliases: tuple[Alias, ...] = ()  # never the name itself
    interactions: int = 0
    pieces_seen: int = 0  # evidence that there ever was
    sentiments: tuple[float, ...] = ()  # oldest first
    last_mentioned_at: datetime | None = None
    last_interaction_at: datetime | None = None
    evidence: tuple[KeptEvidence, ...] = ()  # oldest first
    communications: tuple[KeptCommunication, ...] = ()  # oldest first
    relations: tuple[Relation, ...] = ()
    notes: tuple[str, ...] = ()
    edited_by_hand: bool = False
    last_merge_id: str | None = None  # the audit row of the last merge that was not undone

    @property
    def last_seen_at(self) -> datetime:
        """The last exchange; of a person whom memories merely name, the last mention."""
        return self.last_interaction_at or self.last_mentioned_at or self.created_at

    def named(self) -> NamedPerson:
        return NamedPerson(self.id, self.name, self.aliases)

    def known(self) -> KnownPerson:
        return KnownPerson(
            id=self.id,
            name=self.name,
            trust=self.trust,
            interactions=self.interactions,
            last_seen_at=self.last_seen_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """A person as shown at an instant: trust has faded since the last exchange."""

    person: Person
    trust: Trust
    overall: float
    label: TrustLabel
    expertise: tuple[tuple[str, float], ...]  # the strongest domains
    evidence: tuple[Evidence, ...]  # the strongest pieces
    trend: Trend | None


def shown(person: Person, at: datetime, rules: PersonRules) -> PersonView:
    """The view of a person at `at`."""
    trust = person.known().trust_at(at, rules)
    overall = trust.overall(rules)
    return PersonView(
        person=person,
        trust=trust,
        overall=overall,
        label=trust_label(overall, rules),
        expertise=tuple(shown_expertise(trust, rules)),
        evidence=tuple(strongest_evidence(evidence_kept(person.evidence, at, rules), rules)),
        trend=sentiment_trend(person.sentiments, rules),
    )


def after_evidence(person: Person, piece: KeptEvidence, at: datetime, rules: PersonRules) -> Person:
    """The person after one more piece of evidence; one that is kept already changes nothing."""
    if any(held.id == piece.id for held in person.evidence):
        return person
    pieces = _by_time([*person.evidence, piece])
    kept = frozenset(evidence_kept(pieces, at, rules))
    seen = person.pieces_seen + 1
    return replace(
        _met(person, piece.at, piece.impact, rules),
        evidence=tuple(each for each in pieces if each in kept),
        pieces_seen=seen,
        trust=trust_after(
            person.trust,
            piece,
            kept=[each for each in pieces if each in kept],
            pieces_seen=seen,
            at=at,
            rules=rules,
        ),
        last_mentioned_at=_later(person.last_mentioned_at, piece.at),
    )


def after_communication(person: Person, communication: KeptCommunication, rules: PersonRules) -> Person:
    """The person after one more exchange; one that is kept already changes nothing."""
    if any(held.id == communication.id for held in person.communications):
        return person
    exchanges = [*person.communications, communication]
    kept = frozenset(communications_kept(exchanges, rules))
    return replace(
        _met(person, communication.at, communication.sentiment, rules),
        communications=_by_time(each for each in exchanges if each in kept),
    )


def with_alias(person: Person, alias: Alias | None) -> Person:
    """The person with one more alias, unless they have that spelling."""
    if alias is None or alias.text in {person.name, *(each.text for each in person.aliases)}:
        return person
    return replace(person, aliases=(*person.aliases, alias))


def with_note(person: Person, note: str) -> Person:
    """The person with one more note, written by hand; over the cap the oldest goes."""
    notes = (*(held for held in person.notes if held != note), note)
    return replace(person, notes=notes[-MOST_NOTES:], edited_by_hand=True)


def joined(keep: Person, merged: Person, at: datetime, rules: PersonRules) -> Person:
    """One person made of two: the names, evidence and exchanges of both. Caps are applied with the next exchange."""
    evidence = _by_time([*keep.evidence, *merged.evidence])
    communications = _by_time([*keep.communications, *merged.communications])
    together = replace(
        keep,
        trust=trust_from(evidence, at, rules) if evidence else keep.trust,
        created_at=min(keep.created_at, merged.created_at),
        interactions=keep.interactions + merged.interactions,
        pieces_seen=keep.pieces_seen + merged.pieces_seen,
        sentiments=_feelings(evidence, communications, rules),
        last_mentioned_at=_later(keep.last_mentioned_at, merged.last_mentioned_at),
        last_interaction_at=_later(keep.last_interaction_at, merged.last_interaction_at),
        evidence=evidence,
        communications=communications,
        notes=(*keep.notes, *(note for note in merged.notes if note not in keep.notes)),
        edited_by_hand=True,
    )
    for alias in (alias_by_hand(merged.name, keep.named(), rules), *merged.aliases):
        together = with_alias(together, alias)
    return together


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Two people as they were before they became one, with what is still kept of their evidence and exchanges."""

    keep: Person
    merged: Person
    keep_is_whole: bool  # nothing of the kept person was erased or dropped meanwhile
    lost_evidence: int = 0  # pieces of the merged person that are kept no longer
    lost_communications: int = 0


def parted(now: Person, merge: Merge, at: datetime, rules: PersonRules) -> tuple[Person, Person]:
    """Two persons out of one again: the kept one, of whom `now` is told how they are, and the merged one.

    What came to the kept person since the merge stays there; if nothing came, they are as they were before.
    """
    before, merged = merge.keep, merge.merged
    whole = joined(before, merged, at, rules)
    restored = _as_far_as_left(merge, erased_most=whole.interactions - now.interactions, at=at, rules=rules)
    taken = {alias.text for alias in whole.aliases} - {alias.text for alias in before.aliases}
    left = replace(
        now,
        aliases=tuple(alias for alias in now.aliases if alias.text not in taken),
        created_at=before.created_at,
        notes=tuple(note for note in now.notes if note in before.notes or note not in merged.notes),
        edited_by_hand=before.edited_by_hand or now.aliases != whole.aliases,
        interactions=max(0, now.interactions - restored.interactions),
        pieces_seen=max(0, now.pieces_seen - restored.pieces_seen),
        evidence=_without(now.evidence, merged.evidence),
        communications=_without(now.communications, merged.communications),
        last_merge_id=before.last_merge_id,
    )
    if now.last_mentioned_at == whole.last_mentioned_at:
        left = replace(left, last_mentioned_at=before.last_mentioned_at)
    if not (merge.keep_is_whole and (left.evidence, left.communications) == (before.evidence, before.communications)):
        return _weighed_anew(left, at, rules), restored
    return replace(
        left, trust=before.trust, sentiments=before.sentiments, last_interaction_at=before.last_interaction_at
    ), restored


def without_source(person: Person, memory_id: MemoryId, at: datetime, rules: PersonRules) -> Person:
    """The person once a memory is erased: nothing that was drawn from it is left in any number."""
    left = replace(
        person,
        evidence=tuple(each for each in person.evidence if each.memory_id != memory_id),
        communications=tuple(each for each in person.communications if each.memory_id != memory_id),
    )
    gone_evidence = len(person.evidence) - len(left.evidence)
    gone = gone_evidence + len(person.communications) - len(left.communications)
    spelt_there = {each.name for each in person.evidence} - {each.name for each in left.evidence}
    counted = replace(
        left,
        aliases=tuple(
            alias
            for alias in person.aliases
            if alias.text not in spelt_there or alias.confidence == rules.alias_by_hand
        ),
        interactions=max(0, person.interactions - gone),
        pieces_seen=max(0, person.pieces_seen - gone_evidence),
    )
    return _weighed_anew(counted, at, rules) if gone else person


def _met(person: Person, met_at: datetime, sentiment: float, rules: PersonRules) -> Person:
    return replace(
        person,
        interactions=person.interactions + 1,
        sentiments=tuple(sentiments_kept(person.sentiments, sentiment, rules)),
        last_interaction_at=_later(person.last_interaction_at, met_at),
    )


def _as_far_as_left(merge: Merge, *, erased_most: int, at: datetime, rules: PersonRules) -> Person:
    """The merged person; what was erased of theirs meanwhile counts no more."""
    lost = merge.lost_evidence + merge.lost_communications
    if not lost:
        return merge.merged
    erased = max(0, min(lost, erased_most))
    left = replace(
        merge.merged,
        interactions=merge.merged.interactions - erased,
        pieces_seen=merge.merged.pieces_seen - min(erased, merge.lost_evidence),
    )
    return _weighed_anew(left, at, rules)


def _weighed_anew(person: Person, at: datetime, rules: PersonRules) -> Person:
    return replace(
        person,
        trust=trust_from(person.evidence, at, rules) if person.evidence else fresh_trust(rules),
        sentiments=_feelings(person.evidence, person.communications, rules),
    )


def _feelings(
    evidence: Sequence[KeptEvidence], communications: Sequence[KeptCommunication], rules: PersonRules
) -> tuple[float, ...]:
    """The last feelings, oldest first, read off what is kept."""
    told = [(each.at, each.impact) for each in evidence] + [(each.at, each.sentiment) for each in communications]
    felt = [sentiment for _, sentiment in sorted(told) if sentiment]
    return tuple(felt[-rules.most_sentiments :])


def _without(held: Sequence[_Kept], taken: Sequence[_Kept]) -> tuple[_Kept, ...]:
    ids = {each.id for each in taken}
    return tuple(each for each in held if each.id not in ids)


def _by_time(held: Iterable[_Kept]) -> tuple[_Kept, ...]:
    return tuple(sorted(held, key=lambda each: (each.at, each.id)))


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((each for each in (one, other) if each is not None), default=None)
