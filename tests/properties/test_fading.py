"""Laws of strength, activation, tiers and relevance."""

import math
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.decay import FAR_FUTURE, StrengthFacts
from graph_memory.domain.tiers import TIER_PROFILES, relevance, tier
from graph_memory.domain.vocabulary import Tier
from graph_memory.settings import Settings

STRENGTH, ACTIVATION = Settings().strength_curve(), Settings().activation_curve()
NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
MOMENTS = st.timedeltas(min_value=timedelta(days=-400), max_value=timedelta(days=40_000)).map(lambda gap: NOON + gap)
FACTS = st.builds(
    StrengthFacts,
    base_strength=st.floats(0.0, 2.0),
    anchor_at=st.just(NOON),
    spaced_access_count=st.integers(0, 60),
    arousal=st.floats(0.0, 1.0),
)
LOGS = st.builds(
    ActivationFacts,
    stamps=st.lists(st.timedeltas(timedelta(0), timedelta(days=900)), min_size=1, max_size=50).map(
        lambda gaps: tuple(NOON + gap for gap in sorted(gaps))
    ),
    encoding_factor=st.floats(1.0, 1.5),
    decay=st.floats(0.3, 0.5),
)


@given(facts=FACTS, at=MOMENTS)
def test_strength_stays_between_its_floor_and_its_maximum(facts: StrengthFacts, at: datetime):
    assert STRENGTH.floor <= STRENGTH.strength(facts, at) <= STRENGTH.maximum
    assert 0.0 < STRENGTH.retention(facts, at) <= 1.0


@given(facts=FACTS, moments=st.tuples(MOMENTS, MOMENTS))
def test_a_memory_never_grows_by_waiting(facts: StrengthFacts, moments: tuple[datetime, datetime]):
    early, late = sorted(moments)

    assert STRENGTH.strength(facts, late) <= STRENGTH.strength(facts, early)


@given(facts=FACTS, at=MOMENTS, more=st.integers(1, 20))
def test_spaced_accesses_never_weaken(facts: StrengthFacts, at: datetime, more: int):
    stretched = StrengthFacts(
        base_strength=facts.base_strength,
        anchor_at=facts.anchor_at,
        spaced_access_count=facts.spaced_access_count + more,
        arousal=facts.arousal,
    )

    assert STRENGTH.strength(stretched, at) >= STRENGTH.strength(facts, at)
    assert STRENGTH.visible_until(stretched) >= STRENGTH.visible_until(facts)


@given(facts=FACTS)
def test_a_memory_is_hidden_at_the_very_moment_its_strength_crosses_the_threshold(facts: StrengthFacts):
    until, moment = STRENGTH.visible_until(facts), timedelta(minutes=1)

    assert facts.anchor_at <= until <= FAR_FUTURE
    if until == FAR_FUTURE:
        return
    assert STRENGTH.strength(facts, until + moment) <= STRENGTH.forget_threshold + 1e-9
    if until > facts.anchor_at + moment:
        assert STRENGTH.strength(facts, until - moment) >= STRENGTH.forget_threshold - 1e-9


@given(
    facts=LOGS,
    gap=st.timedeltas(timedelta(0), timedelta(days=40_000)),
    more=st.timedeltas(timedelta(0), timedelta(days=900)),
)
def test_activation_falls_after_the_last_use_and_is_always_a_number(
    facts: ActivationFacts, gap: timedelta, more: timedelta
):
    early = facts.stamps[-1] + gap

    sooner, later = ACTIVATION.base_level(facts, early), ACTIVATION.base_level(facts, early + more)

    assert math.isfinite(sooner)
    assert later <= sooner + 1e-12


@given(facts=LOGS)
def test_each_state_is_left_where_activation_crosses_its_threshold(facts: ActivationFacts):
    dates, minutes = ACTIVATION.state_dates(facts), timedelta(minutes=2)
    thresholds = (ACTIVATION.theta_dream, ACTIVATION.theta_forgotten, ACTIVATION.theta_archive)

    assert dates.dream_at <= dates.forgotten_at <= dates.archive_at
    for date, theta in zip((dates.dream_at, dates.forgotten_at, dates.archive_at), thresholds, strict=True):
        if date < FAR_FUTURE:
            assert ACTIVATION.base_level(facts, date) <= theta + 1e-6
            assert ACTIVATION.base_level(facts, max(facts.stamps[-1], date - minutes)) >= theta - 1e-6


@given(facts=LOGS, gap=st.timedeltas(timedelta(0), timedelta(days=900)))
def test_another_use_never_lowers_activation(facts: ActivationFacts, gap: timedelta):
    at = facts.stamps[-1] + gap
    used = ActivationFacts(stamps=(*facts.stamps, at), encoding_factor=facts.encoding_factor, decay=facts.decay)

    assert ACTIVATION.base_level(used, at) >= ACTIVATION.base_level(facts, at)


@given(moments=st.tuples(MOMENTS, MOMENTS), name=st.sampled_from(sorted(TIER_PROFILES)))
def test_tier_and_relevance_only_sink_as_time_passes(moments: tuple[datetime, datetime], name: str):
    (early, late), profile, order = sorted(moments), TIER_PROFILES[name], list(Tier)

    sooner, later = (tier(NOON, at, profile=profile) for at in (early, late))

    assert sooner
    assert later
    assert order.index(sooner) <= order.index(later)
    assert 1.0 >= relevance(NOON, early, profile=profile) >= relevance(NOON, late, profile=profile) >= 0.1
