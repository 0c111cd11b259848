"""Which facts may become one, and which merged texts are taken (constants.md 2.7; cases.md 25)."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations

import pytest

from graph_memory.domain.asked import Statement as Given
from graph_memory.domain.curation import CurationRules
from graph_memory.domain.merging import MergeRules, covered, may_be_reworded, may_merge, merged_by_rules
from graph_memory.domain.statement import Statement, Wording
from graph_memory.domain.vocabulary import Kind, MemoryId

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
RULES, CURATION, WORDING = MergeRules(), CurationRules(), Wording()
PORTO = [
    "The bus in Porto is late.",
    "Ana has a dentist in Porto.",
    "Bruno plays chess in Porto.",
    "The tiles in Porto are blue.",
    "The rent in Porto is high.",
    "Dora has a cat in Porto.",
]


def told(text: str, **given: object) -> Statement:
    return replace(Statement(text=text, bucket="default", valid_at=NOON, created_at=NOON), **given)  # type: ignore[arg-type]


def given(*texts: str) -> list[Given]:
    return [Given(MemoryId(f"m-{number}"), text) for number, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("Ana drinks green tea.", "Ana drinks green tea"),
        ("Ana drinks green tea.", "Ana really drinks a strong green tea."),
        ("Ana has two cats.", "Ana has 2 cats, Mia and Tom."),
    ],
)
def test_facts_that_say_one_thing_may_be_merged_in_either_order(first: str, other: str):
    assert may_merge(told(first), told(other), 0.9, CURATION)
    assert may_merge(told(other), told(first), 0.9, CURATION)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("Ana drinks green tea.", "Ana does not drink green tea."),
        ("Ana ran 5 km.", "Ana ran 10 km."),
        ("The meeting is on Tuesday.", "The meeting is on Friday."),
        ("Ana likes green tea.", "Ana hates green tea."),
        ("Ines trains the junior choir.", "Ines sold a canoe to a choir trainer."),
        ("Ana told Bruno about the bus.", "Ana told Bruno about the rent."),
        ("Ana gave Bruno a book.", "Bruno gave Ana a book."),
        *combinations(PORTO, 2),
    ],
)
def test_facts_that_differ_stay_apart_however_near_they_are(first: str, other: str):
    assert not may_merge(told(first), told(other), 0.94, CURATION)


@pytest.mark.parametrize(
    "apart",
    [
        {"kind": Kind.EPISODIC},
        {"bucket": "work"},
        {"subjects": frozenset({"bruno"})},
    ],
)
def test_facts_of_another_kind_bucket_or_subject_stay_apart(apart: dict[str, object]):
    assert not may_merge(told("Ana drinks tea."), told("Ana drinks tea.", **apart), 1.0, CURATION)


def test_what_two_mouths_say_of_themselves_is_of_two_subjects():
    mine, theirs = told("I drink tea.", speaker="Ana"), told("I drink tea.", speaker="Bruno")

    assert not may_merge(mine, theirs, 1.0, CURATION)
    assert may_merge(told("Ana drinks tea.", speaker="Ana"), told("Ana drinks tea.", speaker="Bruno"), 1.0, CURATION)


def test_facts_below_the_cosine_stay_apart():
    poor, rich = told("Ana drinks tea."), told("Ana drinks strong tea daily.")

    assert not may_merge(poor, rich, 0.8499, CURATION)
    assert may_merge(poor, rich, 0.85, CURATION)


@pytest.mark.parametrize(
    ("text", "taken_in"),
    [
        ("Ana drinks strong green tea daily.", (True, True)),
        ("Ana drinks strong green tea.", (True, False)),
        ("Ana drinks tea.", (False, False)),
        ("Tea is what Ana drinks.", (False, False)),
        ("Ana drinks strong green tea daily in Porto.", (False, False)),  # nobody said where
        ("Ana drinks strong green tea daily at 9.", (False, False)),
        ("Ana does not drink strong green tea daily.", (False, False)),
        ("Tea", (False, False)),
        ("", (False, False)),
        ("Ana drinks strong green tea daily." + " Ana" * 200, (False, False)),
        ("Ana drinks \x00 strong green tea daily.", (False, False)),
    ],
)
def test_a_merged_text_takes_in_what_it_says_and_may_add_nothing(text: str, taken_in: tuple[bool, ...]):
    parts = ["Ana drinks strong green tea.", "Ana drinks green tea daily."]

    assert covered(text, parts, RULES, WORDING) == taken_in


def test_only_facts_that_are_almost_the_same_may_be_reworded():
    assert may_be_reworded("Ana drinks green tea.", "Ana drinks strong green tea.", CURATION)
    assert not may_be_reworded("Ana told Bruno.", "Ana told Bruno about the bus.", CURATION)


def test_a_text_of_five_characters_is_refused_and_one_of_six_is_not():
    assert covered("Ana is", ["Ana is"], RULES, WORDING) == (True,)
    assert covered("Ana i", ["Ana i"], RULES, WORDING) == (False,)


def test_a_long_text_that_somebody_said_is_taken():
    long = "Ana drinks green tea" + " and walks" * 60

    assert covered(long, ["Ana drinks green tea", long], RULES, WORDING) == (True, True)


def test_the_rules_take_the_text_that_says_all_the_others_say():
    texts = given("Ana drinks tea.", "Ana drinks strong green tea.", "Ana drinks green tea.")

    assert merged_by_rules(texts) == "Ana drinks strong green tea."


def test_of_texts_that_say_the_same_the_rules_take_the_first():
    assert merged_by_rules(given("Ana drinks the tea.", "Ana drinks tea.")) == "Ana drinks the tea."
    assert merged_by_rules(given(*PORTO)) == PORTO[0]
