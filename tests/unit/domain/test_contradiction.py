"""What a contradiction costs, who wins it, and which statements can be in one at all."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.contradiction import (
    Conflict,
    PenaltyRules,
    Side,
    changes_number,
    closing,
    denies,
    may_retire,
    turns_to_opposite,
    winner,
)
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.statement import Statement, Wording, read
from graph_memory.domain.vocabulary import Category

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
MONTH = timedelta(days=30)
WORDING = Wording()


def told(text, at=NOON, **fields):
    return Statement(text=text, bucket="default", valid_at=at, created_at=at, **fields)


def may_yield(old, new):
    return may_retire(told(new, NOON + MONTH), told(old), WORDING)


def test_every_category_is_some_evidence():
    assert set(PenaltyRules().category_evidence) == set(Category)


def test_the_later_in_the_world_wins_then_the_later_told_and_else_nobody():
    early, late = told("It is six"), told("It is seven", NOON + MONTH)
    told_later = replace(early, created_at=NOON + MONTH)

    assert winner(late, early) is Side.NEW
    assert winner(early, late) is Side.OLD
    assert winner(told_later, early) is Side.NEW
    assert winner(early, early) is None


def test_what_is_replaced_ends_in_the_world_and_what_is_negated_ends_for_us_too():
    replaced = closing(Conflict.REPLACE, valid_at=NOON, at=NOON + MONTH)
    negated = closing(Conflict.NEGATE, valid_at=NOON, at=NOON + MONTH)

    assert (replaced.invalid_at, replaced.expired_at, replaced.archived) == (NOON, FAR_FUTURE, False)
    assert (negated.invalid_at, negated.expired_at, negated.archived) == (NOON, NOON + MONTH, True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("I cycle to work.", "I gave up cycling to work.", id="case 22"),
        pytest.param("My best dive is 12 m.", "My best dive is 14 m.", id="case 24, number"),
        pytest.param("I do eat shellfish", "I do not eat shellfish", id="case 24, polarity"),
        ("Ines trains the junior choir.", "Ines no longer trains the junior choir."),
        ("I live in Porto", "I have moved to Lisbon"),
        ("I live in Porto", "I now live in Lisbon"),
        ("I like olives", "I really hate olives"),
        ("My favourite colour is green", "My favourite colour is blue"),
        ("The meeting is on Tuesday", "The meeting is on Friday"),
    ],
)
def test_statements_on_one_attribute_of_one_subject_may_retire_each_other(old, new):
    assert may_yield(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("Ines trains the junior choir.", "Ines sold a canoe to a choir trainer.", id="case 23"),
        ("Ines trains the junior choir.", "Ines sold the junior choir a canoe."),
        ("Ines trains the junior choir.", "Ines sold a canoe to one who trains the junior choir."),
        ("Ines trains the junior choir.", "Olga does not train the junior choir."),
        ("My sister eats fish", "I do not eat fish"),
        ("Ines eats fish", "Ines's sister does not eat fish"),
        ("I like tea", "I like coffee"),
        ("I live in Porto", "I do not live in Lisbon"),
        ("My best dive is 12 m.", "My best time is 14 m."),
        ("My favourite colour is green", "My favourite band is Blur"),
        ("Marta is a nurse", "Marta is a mother"),
    ],
)
def test_other_statements_never_retire_each_other_whoever_says_so(old, new):
    assert not may_yield(old, new)


def test_ids_that_part_are_two_subjects_whatever_the_words():
    old = told("Marta eats fish", subjects=frozenset({"per-1"}))
    new = told("Marta does not eat fish", NOON + MONTH, subjects=frozenset({"per-2"}))

    assert not may_retire(new, old, WORDING)
    assert may_retire(replace(new, subjects=old.subjects), old, WORDING)


def test_i_in_another_mouth_is_another_subject():
    old, new = told("I eat fish", speaker="Ann"), told("I do not eat fish", NOON + MONTH, speaker="Ben")

    assert not may_retire(new, old, WORDING)
    assert may_retire(replace(new, speaker="ann "), old, WORDING)


@pytest.mark.parametrize(
    ("old", "new", "denied"),
    [
        ("The red boat is for sale", "The red boat isn't for sale", True),
        ("Nobody tends the orchard", "One tends the orchard", True),
        ("I always eat fish", "I never eat fish", True),
        ("I can swim", "I cannot swim any more", True),
        ("I can swim", "I cannot swim in the sea", False),
        ("Ines lives in Porto", "Ines does not live in Lisbon", False),
        ("Ines never said no", "Ines says it", False),
        ("Nobody noticed", "No one noticed", False),
        ("The shop is open", "The shop is not closed", False),
    ],
)
def test_a_denial_says_nothing_that_the_affirmation_does_not(old, new, denied):
    assert denies(read(new, WORDING), read(old, WORDING)) is denied


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("The rent is 640 euros", "The rent is 655 euros", True),
        ("We meet at 18:40", "We meet at 19:10", True),
        ("The meeting is on Tuesday", "The meeting is on Friday", True),
        ("I have two cats", "I have three cats", True),
        ("I have two cats", "I have 2 cats", False),
        ("The meeting is on Tuesday", "The meeting is on Tuesday at 10", False),
        ("I have two cats", "I have three dogs", False),
        ("I have two cats", "I do not have three cats", False),
    ],
)
def test_a_changed_number_leaves_every_other_word_as_it_was(old, new, changed):
    assert changes_number(read(new, WORDING), read(old, WORDING)) is changed


@pytest.mark.parametrize(
    ("old", "new", "turned"),
    [
        ("The shop on the corner is open", "The shop on the corner is closed", True),
        ("Ana likes olives", "Ana hates olives", True),
        ("Ana holds a big cup", "Ana holds a small cup", False),
        ("The old dog sleeps", "The young dog sleeps", False),
        ("The shop is open", "The shop is not closed", False),
        ("The shop is open", "The shop is blue", False),
    ],
)
def test_a_turn_to_the_opposite_is_in_what_is_claimed_not_in_what_is_described(old, new, turned):
    assert turns_to_opposite(read(new, WORDING), read(old, WORDING)) is turned
