"""The test vectors of constants.md section 4 about use, by their names: V05 to V07, V10 to V12, V16, V18 to V20, V34.

V20 is also run on the server (tests/integration/test_beats.py), V12's eleventh memory too (test_use.py).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.association import Neighbour, boost, daily_draw, fade_factor, misled, noise, strengthened
from graph_memory.domain.decay import StrengthFacts
from graph_memory.domain.memory import Emotion, Interval, Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.vocabulary import (
    Category,
    EpistemicType,
    Horizon,
    Kind,
    Lane,
    MemoryId,
    Source,
    State,
    UserId,
)
from graph_memory.settings import Settings

BORN = datetime(2031, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
SETTINGS = Settings()


def named(cases: Sequence[tuple[Any, ...]]) -> Any:
    return pytest.mark.parametrize(
        [f"case{place}" for place in range(len(cases[0]) - 1)],
        [case[1:] for case in cases],
        ids=[case[0] for case in cases],
    )


@pytest.fixture
def laws() -> Reinforcement:
    return SETTINGS.reinforcement()


@pytest.fixture
def memory(laws: Reinforcement) -> Memory:
    strength = StrengthFacts(base_strength=1.0, anchor_at=BORN)
    activation = ActivationFacts(stamps=(BORN,))
    return Memory(
        id=MemoryId("m"),
        user_id=UserId("u"),
        text="t",
        kind=Kind.SEMANTIC,
        epistemic_type=EpistemicType.FACT,
        category=Category.OTHER,
        horizon=Horizon.LONG,
        bucket="default",
        lane=Lane.FACTS_PREFS,
        general=False,
        source=Source.USER_STATED,
        confirmed=True,
        confidence=0.8,
        strength=strength,
        activation=activation,
        state=State.CORE,
        states=laws.activation.state_dates(activation),
        visible_until=laws.strength.visible_until(strength),
        access_count=0,
        first_access_at=None,
        last_accessed_at=None,
        touched_at=BORN,
        emotion=Emotion(),
        occurred_at=BORN,
        interval=Interval(valid_at=BORN, created_at=BORN),
    )


def used(laws: Reinforcement, memory: Memory, *hours: float) -> Memory:
    for hour in hours:
        memory = laws.accessed(memory, BORN + hour * HOUR, profile=SETTINGS.tier_profile())
    return memory


@named(
    [
        ("V05 s 1, 30 s", 1.0, 30 / 3600, 0.000026, 0.000001),
        ("V05 s 1, 24 h", 1.0, 24.0, 0.0474, 0.0001),
        ("V05 s 1, 168 h", 1.0, 168.0, 0.0749, 0.0001),
        ("V05 s 1.8, 168 h", 1.8, 168.0, 0.015, 0.0001),
        ("V05 s 2", 2.0, 500.0, 0.0, 0.0001),
    ]
)
def test_a_use_adds_less_to_what_is_strong_and_to_what_was_just_used(laws, case0, case1, case2, case3):
    assert laws.boost(case0, case1) == pytest.approx(case2, abs=case3)


@named([("V06 after 24 h", 24.0, 0.9608, 1), ("V07 after 11 h", 11.0, 0.985, 0)])
def test_an_access_re_anchors_the_strength_and_counts_when_it_is_spaced(laws, memory, case0, case1, case2):
    after = used(laws, memory, case0)

    assert after.strength.base_strength == pytest.approx(case1, abs=0.0001)
    assert after.strength.spaced_access_count == case2
    assert after.strength.anchor_at == BORN + case0 * HOUR


@named(
    [
        ("V10 once", [0.0], 0.97),
        ("V10 twice in 30 min", [0.0, 0.5], 0.97),
        ("V10 24 times, hourly", [float(hour) for hour in range(24)], 0.4814),
    ]
)
def test_what_lost_is_weakened_at_most_once_an_hour(laws, memory, case0, case1):
    for hour in case0:
        memory = laws.suppressed(memory, BORN + hour * HOUR)

    assert memory.strength.base_strength == pytest.approx(case1, abs=0.0001)
    assert memory.strength.anchor_at == BORN


@named(
    [
        (f"V11 cos {cosine}", cosine, kept)
        for cosine, kept in ((1, 0.5), (0.9, 0.54), (0.8, 0.58), (0.65, 0.64), (0, 0.9))
    ]
)
def test_a_distilled_source_keeps_less_the_more_central_it_is(case0, case1):
    assert fade_factor(case0, least=0.5, span=0.4) == pytest.approx(case1, abs=0.0001)


@named(
    [
        ("V12 read at 0 h", [0.0], 6.0, 0.0),
        ("V12 again at 2 h", [0.0, 2.0], 8.0, 0.0),
        ("V12 read at 0 h and 6.5 h", [0.0, 6.5], 12.5, 6.5),
    ]
)
def test_a_read_opens_a_window_or_extends_it(laws, memory, case0, case1, case2):
    after = used(laws, memory, *case0)

    assert after.labile_until == BORN + case1 * HOUR
    assert after.labile_since == BORN + case2 * HOUR


def test_v16_arousal_raises_the_creation_stamp(laws):
    facts = ActivationFacts(stamps=(BORN,), encoding_factor=1.5, decay=0.3)

    assert laws.activation.base_level(facts, BORN + HOUR) == pytest.approx(0.4055, abs=0.001)


@named(
    [
        ("V18 w 0.8, B 0.5, fan 4", Neighbour(0.8, 0.5, 4), 0.1),
        ("V18 w 1, B -1, fan 1", Neighbour(1.0, -1.0, 1), 0.0),
        ("V18 w 1, B 3, fan 1", Neighbour(1.0, 3.0, 1), 0.5),
    ]
)
def test_active_neighbours_boost_up_to_a_cap(case0, case1):
    assert boost([case0], cap=0.5) == pytest.approx(case1, abs=0.0001)


@named([("V19 u 0.5", 0.5, 0.0), ("V19 u 0.9", 0.9, 0.2197)])
def test_noise_is_logistic(case0, case1):
    assert noise(case0, scale=0.1) == pytest.approx(case1, abs=0.0001)


def test_a_memory_draws_once_a_day():
    day = BORN.date()

    assert daily_draw("m", day) == daily_draw("m", day)
    assert daily_draw("m", day) != daily_draw("m", day + timedelta(days=1))
    assert 0.0 < daily_draw("m", day) < 1.0


def test_v20_a_year_idle_is_the_archive_and_a_use_brings_it_back(laws, memory):
    later = 365 * 24.0

    after = used(laws, memory, later)

    assert memory.states.state(BORN + later * HOUR) is State.ARCHIVE
    assert after.state is State.CORE
    assert after.states.state(BORN + later * HOUR) is State.CORE


@named(
    [
        ("V34 w 0.7", strengthened(0.7, rate=0.05), 0.715),
        ("V34 w 1", strengthened(1.0, rate=0.05), 1.0),
        ("V34 misled, w 0.03", misled(0.03, step=0.05), 0.0),
    ]
)
def test_use_strengthens_a_link_and_misleading_weakens_it(case0, case1):
    assert case0 == pytest.approx(case1, abs=0.0001)


def test_what_was_negated_is_not_brought_back_by_use(laws, memory):
    archived = replace(
        memory, state=State.ARCHIVE, states=replace(memory.states, dream_at=BORN, forgotten_at=BORN, archive_at=BORN)
    )

    after = used(laws, archived, 5.0)

    assert after.states == archived.states
    assert after.state is State.ARCHIVE
