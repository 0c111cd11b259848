"""What is drawn from a cluster: texts within bounds, strength, and how far a schema is believed (constants.md 2.7)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.asked import Statement
from graph_memory.domain.association import fade_factor
from graph_memory.domain.distillation import (
    SchemaRules,
    SchemaStatus,
    distilled_by_rules,
    distilled_strength,
    first_standing,
    induced_again,
    is_supported,
    is_to_retire,
    merged_confidence,
    missed,
    schema_by_rules,
    shared_category,
    summary_text,
)
from graph_memory.domain.vocabulary import Category, MemoryId

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RULES = SchemaRules()


def members(*texts: str) -> list[Statement]:
    return [Statement(MemoryId(f"mem-{place}"), text) for place, text in enumerate(texts)]


def test_by_rules_the_member_that_comes_first_speaks_for_all():
    told = members("The boat leaks at the stern.", "The stern of the boat leaks.", "A leak in the boat.")

    assert distilled_by_rules(told).text == "The boat leaks at the stern."
    assert schema_by_rules(told).text == "The boat leaks at the stern."


@pytest.mark.parametrize("length", [499, 500])
def test_a_text_of_up_to_500_characters_stays_whole(length: int):
    assert summary_text("x" * length) == "x" * length


def test_a_longer_text_ends_with_its_last_whole_sentence():
    text = "a" * 300 + ". " + "b" * 150 + "! " + "c" * 300 + "."

    assert summary_text(text) == "a" * 300 + ". " + "b" * 150 + "!"


def test_where_no_sentence_ends_in_time_it_ends_with_a_whole_word():
    cut = summary_text("word " * 200)

    assert len(cut) <= 500
    assert cut.endswith("word…")


def test_a_single_endless_word_is_cut_within_the_bound():
    assert len(summary_text("x" * 2_000)) == 500


@pytest.mark.parametrize(
    ("strengths", "expected"),
    [((0.4, 0.2), 1.0), ((1.0, 0.2), 1.0), ((0.3, 1.25), 1.25), ((1.5,), 1.5), ((2.0, 1.0), 1.5)],
)
def test_a_distilled_memory_is_as_strong_as_its_strongest_source_within_bounds(strengths, expected):
    assert distilled_strength(strengths) == expected


def test_the_category_is_that_of_most_members_and_of_the_nearest_where_they_are_even():
    assert shared_category([Category.OTHER, Category.FACT, Category.FACT]) is Category.FACT
    assert shared_category([Category.FACT, Category.OTHER]) is Category.FACT


@pytest.mark.parametrize(("cosine", "factor"), [(1, 0.5), (0.9, 0.54), (0.8, 0.58), (0.65, 0.64), (0, 0.9)])
def test_v11_what_a_source_keeps(cosine: float, factor: float):
    assert fade_factor(cosine, least=0.5, span=0.4) == pytest.approx(factor, abs=1e-4)


def test_v37_two_inductions_at_04():
    assert merged_confidence(0.4, 0.4) == pytest.approx(0.64, abs=1e-4)


def test_a_schema_begins_as_a_hypothesis():
    standing = first_standing(NOON, RULES)

    assert (standing.confidence, standing.status) == (0.4, SchemaStatus.HYPOTHESIS)


@pytest.mark.parametrize(
    ("start", "status"), [(0.59, SchemaStatus.HYPOTHESIS), (0.6, SchemaStatus.ACTIVE), (0.61, SchemaStatus.ACTIVE)]
)
def test_confidence_alone_makes_a_schema_active_from_06(start: float, status: SchemaStatus):
    assert first_standing(NOON, SchemaRules(start=start)).status is status


def test_found_again_with_other_members_it_is_active_and_believed_more_at_once():
    again = induced_again(first_standing(NOON, RULES), NOON, same_members=False, rules=RULES)

    assert again.confidence == pytest.approx(0.64)
    assert again.status is SchemaStatus.ACTIVE


@pytest.mark.parametrize(("after", "counts"), [(timedelta(0), False), (5.9 * HOUR, False), (6 * HOUR, True)])
def test_the_same_members_count_again_after_six_hours(after: timedelta, counts: bool):
    first = first_standing(NOON, RULES)

    again = induced_again(first, NOON + after, same_members=True, rules=RULES)

    assert (again != first) == counts
    assert again.confidence == pytest.approx(0.64 if counts else 0.4)


def test_the_same_members_count_no_third_time():
    standing = first_standing(NOON, RULES)
    for day in range(1, 10):
        standing = induced_again(standing, NOON + day * DAY, same_members=True, rules=RULES)

    assert standing.confidence == pytest.approx(0.64)
    assert standing.induced_at == NOON + DAY


def test_a_schema_is_missed_from_the_first_time_that_it_is_not_found():
    once = missed(first_standing(NOON, RULES), NOON + DAY)

    assert missed(once, NOON + 2 * DAY) == once
    assert induced_again(once, NOON + HOUR, same_members=True, rules=RULES).missed_at is None


@pytest.mark.parametrize(
    ("idle", "retires"), [(30 * DAY - timedelta(seconds=1), False), (30 * DAY, True), (90 * DAY, True)]
)
def test_a_schema_retires_after_30_days_without_being_found_again(idle: timedelta, retires: bool):
    standing = missed(first_standing(NOON, RULES), NOON)

    assert is_to_retire(standing, NOON + idle, RULES) == retires


def test_a_schema_that_is_found_does_not_retire_however_long_nothing_changes():
    assert not is_to_retire(first_standing(NOON, RULES), NOON + 900 * DAY, RULES)


def test_a_retired_schema_does_not_retire_again():
    retired = replace(missed(first_standing(NOON, RULES), NOON), status=SchemaStatus.RETIRED)

    assert not is_to_retire(retired, NOON + 99 * DAY, RULES)


GIVEN = ("I went to Porto with Ana on 4 May", "Ana loves Porto", "Porto again, 3 days")


@pytest.mark.parametrize(
    "text",
    [
        "Goes to Porto with Ana.",
        "Ana loves Porto.",
        "The user went to Porto with Ana for 3 days.",
        "Loves Porto. Went there with Ana's blessing.",
    ],
)
def test_a_text_that_names_what_its_sources_name_is_borne_out(text: str):
    assert is_supported(text, GIVEN)


@pytest.mark.parametrize(
    "text",
    [
        "Ana and Boris love Porto.",
        "Boris loves Porto.",
        "Went to Porto. Boris came along.",
        "Went to Porto for 12 days.",
        "Loves Lisbon with Ana.",
    ],
)
def test_a_text_with_a_person_a_place_or_a_number_of_its_own_is_not(text: str):
    assert not is_supported(text, GIVEN)
