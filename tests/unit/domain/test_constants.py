"""The test vectors of constants.md section 4 that the product computes so far, by their names."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.decay import StrengthFacts, stability
from graph_memory.domain.tiers import TIER_PROFILES, relevance, tier
from graph_memory.settings import Settings

SETTINGS = Settings()
STRENGTH, ACTIVATION = SETTINGS.strength_curve(), SETTINGS.activation_curve()
NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
Case = tuple[str, Any, Any]


def _named(cases: list[Case]) -> Any:
    return pytest.mark.parametrize(("given", "expected"), [pytest.param(*case[1:], id=case[0]) for case in cases])


def _later(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


def _d_eff(arousal: float) -> float:
    """V13, computed here as tagging will; the curve itself takes the result."""
    return SETTINGS.decay.activation_decay * (1.0 - 0.4 * arousal)


V01 = {0: 1, 1: 1.5, 2: 2.4142, 3: 3.5981, 5: 6.5902, 10: 16.8114}


@_named([(f"V01 n={n}", n, expected) for n, expected in V01.items()])
def test_v01_stability_grows_with_spaced_accesses(given: int, expected: float):
    assert stability(given, gain=0.5, power=1.5) == pytest.approx(expected, abs=0.001)


V02 = {0: 1, 240: 0.5, 2160: 0.1, 4560: 0.05, 10_000: 0.05}


@_named([(f"V02 {hours} h", hours, expected) for hours, expected in V02.items()])
def test_v02_strength_falls_along_a_hyperbola_to_its_floor(given: float, expected: float):
    facts = StrengthFacts(base_strength=1.0, anchor_at=NOON)

    assert STRENGTH.strength(facts, _later(given)) == pytest.approx(expected, abs=0.0001)


V03: list[Case] = [
    ("V03 base 2", {"base_strength": 2.0}, 1.0),
    ("V03 n 2", {"base_strength": 1.0, "spaced_access_count": 2}, 0.7071),
    ("V03 a 1", {"base_strength": 1.0, "arousal": 1.0}, 0.625),
    ("V03 a 0.5", {"base_strength": 1.0, "arousal": 0.5}, 0.5556),
]


@_named(V03)
def test_v03_strength_after_240_hours(given: dict[str, float], expected: float):
    facts = StrengthFacts(anchor_at=NOON, **given)  # type: ignore[arg-type]

    assert STRENGTH.strength(facts, _later(240)) == pytest.approx(expected, abs=0.0001)


V04: list[Case] = [
    ("V04 base 1", {"base_strength": 1.0}, 2160),
    ("V04 base 2", {"base_strength": 2.0}, 4560),
    ("V04 base 1.5", {"base_strength": 1.5}, 3360),
    ("V04 base 0.5", {"base_strength": 0.5}, 960),
    ("V04 n 1", {"base_strength": 1.0, "spaced_access_count": 1}, 3240),
    ("V04 n 2", {"base_strength": 1.0, "spaced_access_count": 2}, 5214.7),
    ("V04 n 10", {"base_strength": 1.0, "spaced_access_count": 10}, 36_313),
    ("V04 a 0.5", {"base_strength": 1.0, "arousal": 0.5}, 2700),
    ("V04 a 1", {"base_strength": 1.0, "arousal": 1.0}, 3600),
    ("V04 base 0.08", {"base_strength": 0.08}, 0),
]


@_named(V04)
def test_v04_hours_until_a_memory_is_hidden(given: dict[str, float], expected: float):
    facts = StrengthFacts(anchor_at=NOON, **given)  # type: ignore[arg-type]

    hours = (STRENGTH.visible_until(facts) - NOON) / timedelta(hours=1)

    assert hours == pytest.approx(expected, rel=0.001)


@_named([("V13 a 0", 0.0, 0.5), ("V13 a 0.5", 0.5, 0.4), ("V13 a 1", 1.0, 0.3)])
def test_v13_arousal_slows_the_decay_of_activation(given: float, expected: float):
    assert _d_eff(given) == pytest.approx(expected, abs=0.0001)


V14 = {0: 2.0472, 1: 0.0, 24: -1.589, 7 * 24: -2.562, 21 * 24: -3.1113, 60 * 24: -3.6362}


@_named([(f"V14 {hours} h", hours, expected) for hours, expected in V14.items()])
def test_v14_activation_of_one_stamp(given: float, expected: float):
    assert ACTIVATION.base_level(ActivationFacts(stamps=(NOON,)), _later(given)) == pytest.approx(expected, abs=0.001)


V15: list[Case] = [
    ("V15 7 daily uses, 30 d idle", (range(7), 6 + 30), -1.39),
    ("V15 7 daily uses, 365 d idle", (range(7), 6 + 365), -2.5971),
    ("V15 days 0, 7, 21, 60 d idle", ((0, 7, 21), 21 + 60), -2.6206),
]


@_named(V15)
def test_v15_activation_of_several_stamps(given: Any, expected: float):
    days, asked = given
    facts = ActivationFacts(stamps=tuple(_later(24 * day) for day in days))

    assert ACTIVATION.base_level(facts, _later(24 * asked)) == pytest.approx(expected, abs=0.005)


def test_v16_activation_of_an_aroused_memory():
    facts = ActivationFacts(stamps=(NOON,), encoding_factor=1.5, decay=_d_eff(1.0))

    assert ACTIVATION.base_level(facts, _later(1)) == pytest.approx(0.4055, abs=0.001)


V17: list[Case] = [
    ("V17 a 0, e 1", (0.0, 1.0), (148.4, 492.7, 1339.4)),
    ("V17 a 0.5, e 1.25", (0.5, 1.25), (904.9, 4055.6, 14155.5)),
    ("V17 a 0.5, e 1", (0.5, 1.0), (518.0, 2321.6, 8103.1)),
]


@_named(V17)
def test_v17_hours_until_each_state_is_left(given: tuple[float, float], expected: tuple[float, ...]):
    arousal, encoding_factor = given
    facts = ActivationFacts(stamps=(NOON,), encoding_factor=encoding_factor, decay=_d_eff(arousal))

    dates = ACTIVATION.state_dates(facts)

    hours = [(date - NOON) / timedelta(hours=1) for date in (dates.dream_at, dates.forgotten_at, dates.archive_at)]
    assert hours == pytest.approx(expected, rel=0.001)


V21 = {7: 0.895, 8: 0.88, 14: 0.79, 21: 0.685, 22: 0.67, 33: 0.505, 40: 0.4, 59: 0.115, 60: 0.1, 90: 0.1}


@_named([(f"V21 {days} d", days, expected) for days, expected in V21.items()])
def test_v21_relevance_by_whole_days(given: int, expected: float):
    got = relevance(NOON, _later(24 * given), profile=TIER_PROFILES["default"])

    assert got == pytest.approx(expected, abs=0.0001)


V22 = {
    7 * 24: "active",
    8 * 24: "warm",
    21 * 24: "warm",
    22 * 24: "cold",
    60 * 24: "cold",
    61 * 24: "archive",
    191: "active",
}


@_named([(f"V22 {hours} h", hours, expected) for hours, expected in V22.items()])
def test_v22_tier_by_whole_days(given: float, expected: str):
    assert tier(NOON, _later(given), profile=TIER_PROFILES["default"]) == expected


@_named([("V23 sales", "sales", 0.25), ("V23 research", "research", 0.76)])
def test_v23_relevance_at_thirty_days_by_profile(given: str, expected: float):
    assert relevance(NOON, _later(24 * 30), profile=TIER_PROFILES[given]) == pytest.approx(expected, abs=0.0001)
