"""Laws of the day's first instant, in zones whose clocks change at all sorts of hours."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.local_midnight import is_midnight, next_midnight

_FIRST = datetime(1990, 1, 1, tzinfo=UTC)
INSTANTS = st.integers(0, 50 * 365 * 86_400).map(lambda seconds: _FIRST + timedelta(seconds=seconds))
ZONES = st.sampled_from(
    ("UTC", "Europe/Lisbon", "Asia/Tokyo", "America/Havana", "Africa/Cairo", "Asia/Beirut", "Pacific/Apia")
).map(ZoneInfo)


@given(after=INSTANTS, zone=ZONES)
def test_the_next_midnight_is_always_ahead_and_never_two_days_away(after: datetime, zone: ZoneInfo):
    following = next_midnight(after, zone)

    assert after < following <= after + timedelta(hours=49)
    assert is_midnight(following, zone)
