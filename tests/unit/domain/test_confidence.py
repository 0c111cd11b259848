"""How evidence moves confidence, and how confidence is put into words."""

import pytest

from graph_memory.domain.confidence import ConfidenceRules, Conviction, ConvictionBands, Evidence

RULES = ConfidenceRules()


@pytest.mark.parametrize(
    ("evidence", "calm", "stirred"),
    [
        (Evidence.CONFIRM, 0.10, 0.15),
        (Evidence.RE_EXPOSURE, 0.05, 0.075),
        (Evidence.ACCESS, 0.0, 0.0),
        (Evidence.ENRICH, 0.05, 0.075),
        (Evidence.WEAKEN, -0.15, -0.225),
        (Evidence.CONTRADICT, -0.30, -0.45),
    ],
)
def test_arousal_raises_a_delta_by_up_to_half(evidence, calm, stirred):
    assert RULES.delta(evidence) == pytest.approx(calm)
    assert RULES.delta(evidence, arousal=1.0) == pytest.approx(stirred)


def test_an_arousal_out_of_range_counts_as_the_nearest_in_it():
    assert RULES.delta(Evidence.CONFIRM, arousal=7.0) == RULES.delta(Evidence.CONFIRM, arousal=1.0)
    assert RULES.delta(Evidence.CONFIRM, arousal=-7.0) == RULES.delta(Evidence.CONFIRM)


def test_one_contradiction_costs_more_than_two_confirmations_give():
    assert -RULES.delta(Evidence.CONTRADICT) > 2 * RULES.delta(Evidence.CONFIRM)


@pytest.mark.parametrize(
    ("confidence", "conviction"),
    [
        (1.0, Conviction.VERY_STRONG),
        (0.9, Conviction.VERY_STRONG),
        (0.89, Conviction.STRONG),
        (0.7, Conviction.STRONG),
        (0.5, Conviction.MODERATE),
        (0.49, Conviction.WEAK),
        (0.3, Conviction.WEAK),
        (0.29, Conviction.VERY_WEAK),
        (0.0, Conviction.VERY_WEAK),
    ],
)
def test_confidence_has_a_word(confidence, conviction):
    assert ConvictionBands().conviction(confidence) is conviction


def test_a_band_that_a_sum_of_tenths_misses_by_a_hair_is_reached():
    confidence = 0.6
    for _ in range(3):
        confidence = RULES.moved(confidence, Evidence.CONFIRM)

    assert confidence != 0.9
    assert ConvictionBands().conviction(confidence) is Conviction.VERY_STRONG
