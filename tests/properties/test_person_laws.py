from datetime import UTC, datetime, timedelta
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.name_resolution import Alias, AliasType
from graph_memory.domain.people import EvidenceType, PersonRules
from graph_memory.domain.person import KeptEvidence, Merge, Person, after_evidence, joined, parted, without_source
from graph_memory.domain.trust import fresh_trust
from graph_memory.domain.vocabulary import MemoryId, NodeId

RULES = PersonRules(most_evidence=8, evidence_always=2, most_sentiments=4)
NOW = datetime(2031, 1, 1, tzinfo=UTC)


def pieces(prefix: str, most: int) -> st.SearchStrategy[list[KeptEvidence]]:
    """Evidence with ids of its own, from two memories or none."""
    piece = st.builds(
        KeptEvidence,
        id=st.uuids().map(lambda each: f"{prefix}-{each}"),
        at=st.floats(0, 80).map(lambda days: NOW - timedelta(days=days)),
        sentiment=st.floats(-1, 1),
        type=st.sampled_from(EvidenceType),
        domains=st.lists(st.sampled_from(["law", "chess"]), max_size=1).map(tuple),
        memory_id=st.sampled_from([None, MemoryId("mem-1"), MemoryId("mem-2")]),
    )
    return st.lists(piece, max_size=most)


def met(name: str, evidence: list[KeptEvidence]) -> Person:
    alias = Alias(f"{name}y", AliasType.NICKNAME, 0.9)
    stranger = Person(id=NodeId(name), name=name, trust=fresh_trust(RULES), created_at=NOW, aliases=(alias,))
    return reduce(lambda person, piece: after_evidence(person, piece, NOW, RULES), evidence, stranger)


@given(evidence=pieces("a", 20))
def test_every_piece_is_counted_once_and_what_is_kept_is_bounded(evidence):
    person = met("Ana", evidence)

    again = reduce(lambda held, piece: after_evidence(held, piece, NOW, RULES), person.evidence, person)

    assert again == person
    assert person.interactions == person.pieces_seen == len(evidence)
    assert len(person.evidence) == min(len(evidence), RULES.most_evidence)
    assert len(person.sentiments) <= RULES.most_sentiments


@given(one=pieces("a", 6), other=pieces("b", 6))
def test_undoing_a_merge_gives_both_people_back(one, other):
    keep, merged = met("Ana", one), met("Bea", other)

    whole = joined(keep, merged, NOW, RULES)
    left, restored = parted(whole, Merge(keep=keep, merged=merged, keep_is_whole=True), NOW, RULES)

    assert whole.interactions == len(one) + len(other)
    assert (left, restored) == (keep, merged)


@given(one=pieces("a", 6), other=pieces("b", 6))
def test_a_merge_counts_the_same_in_either_direction(one, other):
    keep, merged = met("Ana", one), met("Bea", other)

    forth, back = joined(keep, merged, NOW, RULES), joined(merged, keep, NOW, RULES)

    same = ("interactions", "pieces_seen", "sentiments", "evidence", "last_mentioned_at", "last_interaction_at")
    assert all(getattr(forth, name) == getattr(back, name) for name in same)
    if one or other:
        assert forth.trust == back.trust


@given(evidence=pieces("a", 8))
def test_an_erased_memory_leaves_no_trace_in_any_number(evidence):
    person = met("Ana", evidence)

    left = without_source(person, MemoryId("mem-1"), NOW, RULES)
    twice = without_source(left, MemoryId("mem-1"), NOW, RULES)

    others = [piece for piece in evidence if piece.memory_id != "mem-1"]
    assert twice == left
    assert left.interactions == len(others)
    assert {piece.id for piece in left.evidence} == {piece.id for piece in others}
    if not others:
        assert left.trust == fresh_trust(RULES)
