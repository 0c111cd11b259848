"""The corners of fading: pins, floors, stamps of the future, the far end of time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from graph_memory.domain.activation import ActivationFacts, all_at
from graph_memory.domain.decay import FAR_FUTURE, StrengthFacts, after_hours, hours_between
from graph_memory.domain.tiers import TIER_PROFILES, relevance, tier
from graph_memory.domain.vocabulary import State
from graph_memory.settings import Settings

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
STRENGTH, ACTIVATION = Settings().strength_curve(), Settings().activation_curve()


def test_a_pinned_memory_is_never_hidden_nor_leaves_its_state():
    facts = StrengthFacts(base_strength=0.01, anchor_at=NOON, pinned=True)

    assert STRENGTH.visible_until(facts) == FAR_FUTURE
    assert ACTIVATION.state_dates(ActivationFacts(stamps=(NOON,)), pinned=True) == all_at(FAR_FUTURE)


def test_a_stamp_in_the_future_counts_as_now():
    """Case 13: forgetting never turns into growth."""
    ahead = NOON + timedelta(hours=2)

    assert hours_between(ahead, NOON) == 0.0
    assert STRENGTH.strength(StrengthFacts(base_strength=1.0, anchor_at=ahead), NOON) == 1.0
    assert ACTIVATION.base_level(ActivationFacts(stamps=(ahead,)), NOON) == ACTIVATION.base_level(
        ActivationFacts(stamps=(NOON,)), NOON
    )


def test_a_date_past_the_last_year_is_the_far_future():
    assert after_hours(NOON, 1e9) == FAR_FUTURE
    assert after_hours(FAR_FUTURE, 1.0) == FAR_FUTURE
    assert after_hours(NOON, 24.0) == NOON + timedelta(days=1)


def test_a_faster_clock_fades_sooner():
    fast = replace(STRENGTH, time_scale=10.0)
    facts = StrengthFacts(base_strength=1.0, anchor_at=NOON)

    assert fast.strength(facts, NOON + timedelta(hours=24)) == STRENGTH.strength(facts, NOON + timedelta(hours=240))
    assert fast.visible_until(facts) - NOON == (STRENGTH.visible_until(facts) - NOON) / 10


def test_states_follow_one_another_at_their_dates():
    dates = ACTIVATION.state_dates(ActivationFacts(stamps=(NOON,)))
    moment = timedelta(microseconds=1)

    assert dates.state(NOON) is State.CORE
    assert [dates.state(date - moment) for date in (dates.dream_at, dates.forgotten_at, dates.archive_at)] == [
        State.CORE,
        State.DREAM,
        State.FORGOTTEN,
    ]
    assert [dates.state(date) for date in (dates.dream_at, dates.forgotten_at, dates.archive_at)] == [
        State.DREAM,
        State.FORGOTTEN,
        State.ARCHIVE,
    ]


def test_a_pin_overrides_tier_and_relevance():
    later = NOON + timedelta(days=900)

    assert tier(NOON, later, profile=TIER_PROFILES["default"], pinned=True) is None
    assert relevance(NOON, later, profile=TIER_PROFILES["default"], pinned=True) == 1.0


def test_a_touch_ahead_of_the_clock_is_a_touch_today():
    assert relevance(NOON + timedelta(days=3), NOON, profile=TIER_PROFILES["default"]) == 1.0
