"""A model's verdict is followed where the words bear it out, and nowhere else (cases.md 23)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.asked import (
    ContradictionProposal,
    CurationProposal,
    RefinementProposal,
    RefinementVerdict,
)
from graph_memory.domain.contradiction import Conflict, Side
from graph_memory.domain.curation import CurationRules, Update
from graph_memory.domain.model_verdicts import (
    followed_contradiction,
    followed_curation,
    followed_refinement,
)
from graph_memory.domain.statement import Statement
from graph_memory.domain.vocabulary import Kind, MemoryId, WriteOperation

RULES = CurationRules()
NOON = datetime(2031, 5, 6, 12, tzinfo=UTC)


def known(text: str) -> Statement:
    return Statement(text=text, bucket="default", valid_at=NOON, created_at=NOON)


def new(text: str) -> Statement:
    return replace(known(text), valid_at=NOON + timedelta(days=1), created_at=NOON + timedelta(days=1))


def proposes(operation: WriteOperation, *, replacing: bool = False, text: str | None = None) -> CurationProposal:
    return CurationProposal(operation=operation, replacing=replacing, text=text)


@pytest.mark.parametrize("operation", WriteOperation)
@pytest.mark.parametrize("replacing", [False, True])
def test_a_model_that_calls_everything_something_changes_nothing(operation: WriteOperation, replacing: bool):
    old, later = known("Ines trains the junior choir."), new("Ines sold a canoe to a choir trainer.")
    proposal = proposes(operation, replacing=replacing, text="Ines trains the junior choir and sold a canoe.")

    assert followed_curation(later, old, proposal, RULES) is None


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        ("Ines trains a choir.", True),
        ("Ines trains a choir in Porto.", False),
        ("The junior choir trains Ines.", False),
        ("Olga trains the choir.", False),
        ("Ines never trains the choir.", False),
    ],
)
def test_a_repeat_has_all_its_words_in_what_is_known_in_their_order(text: str, repeats: bool):
    old = known("Ines trains the junior choir on Mondays at 9.")

    verdict = followed_curation(new(text), old, proposes(WriteOperation.NONE), RULES)

    assert (verdict is not None) is repeats


@pytest.mark.parametrize(
    ("merged", "enriches"),
    [
        ("Ines trains the junior choir on Mondays at 9.", True),
        ("Ines trains the junior choir on Mondays.", False),
        ("Ines trains the junior choir on Mondays at 9 in Porto.", False),
        ("Ines no longer trains the junior choir on Mondays at 9.", False),
        ("The junior choir trains Ines on Mondays at 9.", False),
        (None, False),
    ],
)
def test_a_richer_text_has_all_words_of_both_and_no_others(merged: str | None, enriches: bool):
    verdict = followed_curation(
        new("Choir is on Mondays at 9."),
        known("Ines trains the junior choir."),
        proposes(WriteOperation.UPDATE, text=merged),
        RULES,
    )

    assert (verdict is not None and verdict.update is Update.ENRICHING) is enriches


def test_a_conflict_takes_the_same_subject_and_attribute_by_words():
    old = known("My best dive is 12 m.")

    followed = followed_curation(
        new("My best dive was 14 m."), old, proposes(WriteOperation.UPDATE, replacing=True), RULES
    )
    other = followed_curation(new("My boat is 14 m."), old, proposes(WriteOperation.UPDATE, replacing=True), RULES)

    assert followed is not None
    assert (followed.update, followed.conflict, followed.winner) == (Update.REPLACING, Conflict.REPLACE, Side.NEW)
    assert other is None


def test_a_conflict_with_a_later_statement_is_only_noted():
    later = known("My best dive was 14 m.")
    earlier = replace(later, text="My best dive is 12 m.", valid_at=NOON - timedelta(days=9))

    verdict = followed_curation(earlier, later, proposes(WriteOperation.DELETE), RULES)

    assert verdict is not None
    assert (verdict.operation, verdict.conflict, verdict.winner) == (WriteOperation.ADD, Conflict.NEGATE, Side.OLD)


@pytest.mark.parametrize("operation", WriteOperation)
def test_episodes_and_other_voices_are_left_alone(operation: WriteOperation):
    old, proposal = known("I cycle to work."), proposes(operation, replacing=True)
    episode, anothers = (
        replace(new("I walk to work."), kind=Kind.EPISODIC),
        replace(new("I walk to work."), speaker="Bo"),
    )

    assert followed_curation(episode, old, proposal, RULES) is None
    assert followed_curation(anothers, old, proposal, RULES) is None


@pytest.mark.parametrize(
    ("text", "verdict", "refines"),
    [
        ("I cycle to work on Mondays.", RefinementVerdict.REFINE, True),
        ("I cycle to work.", RefinementVerdict.REFINE, False),
        ("I cycle on Mondays.", RefinementVerdict.REFINE, False),
        ("I cycle to work on Fridays.", RefinementVerdict.REFINE, False),
        ("I no longer cycle to work on Mondays.", RefinementVerdict.REFINE, False),
        ("I cycle to work on Mondays.", RefinementVerdict.UNRELATED, False),
        (None, RefinementVerdict.REFINE, False),
    ],
)
def test_a_refined_text_keeps_every_word_and_adds_only_what_was_said(
    text: str | None, verdict: RefinementVerdict, refines: bool
):
    refined = followed_refinement(
        new("Only on Mondays, that is."),
        known("I cycle to work."),
        RefinementProposal(verdict=verdict, text=text),
        RULES,
    )

    assert refined == (text if refines else None)


def contradicts(conflict: Conflict = Conflict.NEGATE, **said: bool) -> ContradictionProposal:
    claim = {"conflicts": True, "same_subject": True, "same_attribute": True, **said}
    return ContradictionProposal(id=MemoryId("mem-1"), conflict=conflict, **claim)


@pytest.mark.parametrize(
    ("text", "proposal", "conflict"),
    [
        ("Ana keeps the boat in Faro.", contradicts(), Conflict.REPLACE),
        ("Ana never keeps the boat in Porto.", contradicts(), Conflict.NEGATE),
        ("Ana never keeps the boat in Porto.", contradicts(Conflict.REPLACE), Conflict.REPLACE),
        ("Ana keeps the boat in Faro.", contradicts(conflicts=False), None),
        ("Ana keeps the boat in Faro.", contradicts(same_subject=False), None),
        ("Ana keeps the boat in Faro.", contradicts(same_attribute=False), None),
        ("Bruno keeps the boat in Faro.", contradicts(), None),
        ("Ana sold a canoe in Porto.", contradicts(), None),
    ],
)
def test_a_contradiction_is_one_of_words_too(text: str, proposal: ContradictionProposal, conflict: Conflict | None):
    assert followed_contradiction(new(text), known("Ana keeps the boat in Porto."), proposal, RULES) == conflict
