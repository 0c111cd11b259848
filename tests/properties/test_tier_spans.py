"""A filter by tier looks for spans of time; they say what the tier of each memory says."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.tiers import TIER_PROFILES, tier, touched_span
from graph_memory.domain.vocabulary import Tier

NOW = datetime(2031, 5, 1, 12, tzinfo=UTC)
SECONDS = st.integers(-86_400, 86_400 * 200).map(lambda seconds: timedelta(seconds=seconds))
DAYS = st.integers(0, 200).map(lambda days: timedelta(days=days))


@given(age=SECONDS | DAYS, profile=st.sampled_from(sorted(TIER_PROFILES)))
def test_a_touch_lies_in_the_span_of_its_tier_and_of_no_other(age: timedelta, profile: str):
    chosen, touched_at = TIER_PROFILES[profile], NOW - age

    spans = {each: touched_span(each, NOW, profile=chosen) for each in Tier}

    assert [each for each, (after, until) in spans.items() if after < touched_at <= until] == [
        tier(touched_at, NOW, profile=chosen)
    ]
