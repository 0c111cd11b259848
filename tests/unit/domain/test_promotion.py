"""When an observation has gathered enough evidence: the boundaries of every part of the score."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.confidence import ConfidenceRules, Evidence
from graph_memory.domain.observed import Observed
from graph_memory.domain.promotion import PromotionRules, promoted_category
from graph_memory.domain.vocabulary import Category

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
DAY, MINUTE, MICROSECOND = timedelta(days=1), timedelta(minutes=1), timedelta(microseconds=1)
GAP = 30 * MINUTE
RULES = PromotionRules()
ONCE = Observed.once(NOON)


def score(observed: Observed = ONCE, *, confidence: float = 0.5, idle: timedelta = timedelta()) -> float:
    return RULES.score_of(observed, confidence=confidence, at=observed.last_at + idle)


@pytest.mark.parametrize(
    ("span", "bonus"),
    [
        (3 * DAY - MICROSECOND, 0),
        (3 * DAY, 3),
        (7 * DAY - MICROSECOND, 3),
        (7 * DAY, 5),
    ],
)
def test_a_span_counts_from_its_number_of_days_on(span: timedelta, bonus: float):
    assert score(replace(ONCE, last_at=NOON + span)) == score() + bonus


@pytest.mark.parametrize(
    ("idle", "penalty"),
    [(7 * DAY, 0), (7 * DAY + MICROSECOND, 2), (14 * DAY, 2), (14 * DAY + MICROSECOND, 5), (-DAY, 0)],
)
def test_idleness_costs_beyond_its_number_of_days(idle: timedelta, penalty: float):
    assert score(idle=idle) == score() - penalty


def test_a_confidence_that_sums_of_tenths_missed_by_a_hair_is_sure():
    beliefs, confidence = ConfidenceRules(), 0.5
    for _ in range(4):
        confidence = beliefs.moved(confidence, Evidence.CONFIRM)

    assert confidence != 0.9
    assert score(confidence=confidence) == score() + 3
    assert score(confidence=0.8999) == score()


def test_only_so_many_occurrences_and_sessions_count():
    assert score(replace(ONCE, occurrences=10)) == score(replace(ONCE, occurrences=500))
    assert score(replace(ONCE, session_count=5)) == score(replace(ONCE, session_count=500))


def test_a_chat_that_repeats_itself_is_kept_out_where_two_sessions_are_asked_for():
    burst = Observed(occurrences=9, session_count=1, first_at=NOON, last_at=NOON)

    assert RULES.promotes(burst, confidence=0.9, at=NOON)
    assert not replace(RULES, sessions=2).promotes(burst, confidence=0.9, at=NOON)


@pytest.mark.parametrize(
    ("category", "promoted"),
    [
        (Category.PREFERENCE, Category.PREFERENCE),
        (Category.PATTERN, Category.PREFERENCE),
        (Category.CONTEXT, Category.PROFESSIONAL),
        (Category.OTHER, Category.IDENTITY),
        (Category.IDENTITY, Category.IDENTITY),
    ],
)
def test_a_promotion_maps_the_category(category: Category, promoted: Category):
    assert promoted_category(category) is promoted


@pytest.mark.parametrize(
    ("after", "sessions"), [(timedelta(), 1), (GAP, 1), (GAP + MICROSECOND, 2), (DAY, 2), (-DAY, 1)]
)
def test_an_observation_after_more_than_the_gap_is_of_another_session(after: timedelta, sessions: int):
    again = ONCE.again(NOON + after, session_gap=GAP)

    assert (again.occurrences, again.session_count) == (2, sessions)
    assert again.last_at == max(NOON, NOON + after)
    assert again.first_at == NOON


def test_two_statements_that_are_one_were_observed_as_often_as_both():
    one = Observed(occurrences=3, session_count=2, first_at=NOON, last_at=NOON + DAY)
    other = Observed(occurrences=2, session_count=1, first_at=NOON - DAY, last_at=NOON)

    assert one.joined(other) == Observed(occurrences=5, session_count=2, first_at=NOON - DAY, last_at=NOON + DAY)
