"""The first instant of a day where a user lives, also where clocks change at midnight."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from graph_memory.domain.local_midnight import day_begins, is_midnight, next_midnight, week_begins


def at(*numbers: int) -> datetime:
    return datetime(*numbers, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "after", "midnight"),
    [
        ("UTC", at(2031, 5, 1, 12), at(2031, 5, 2)),
        ("UTC", at(2031, 5, 1), at(2031, 5, 2)),
        ("Asia/Tokyo", at(2031, 5, 1, 12), at(2031, 5, 1, 15)),
        ("Asia/Tokyo", at(2031, 5, 1, 15), at(2031, 5, 2, 15)),
        ("America/New_York", at(2031, 5, 1, 3), at(2031, 5, 1, 4)),
        # Clocks go forward in the night of 29 to 30 March 2031, and back in that of 25 to 26 October.
        ("Europe/Berlin", at(2031, 3, 29, 22, 59), at(2031, 3, 29, 23)),
        ("Europe/Berlin", at(2031, 3, 29, 23), at(2031, 3, 30, 22)),
        ("Europe/Berlin", at(2031, 10, 25, 22), at(2031, 10, 26, 23)),
        # In Cairo the clock jumps from midnight to one: the day begins at one.
        ("Africa/Cairo", at(2024, 4, 25, 12), at(2024, 4, 25, 22)),
        # In Havana it goes back from one to midnight, which comes twice: the day begins at the first.
        ("America/Havana", at(2024, 11, 2, 12), at(2024, 11, 3, 4)),
        ("America/Havana", at(2024, 11, 3, 4, 30), at(2024, 11, 4, 5)),
        # Apia left out 30 December 2011.
        ("Pacific/Apia", at(2011, 12, 29, 12), at(2011, 12, 30, 10)),
        ("Pacific/Apia", at(2011, 12, 30, 10), at(2011, 12, 31, 10)),
    ],
)
def test_the_next_day_begins_at_the_first_instant_that_bears_its_date(zone: str, after: datetime, midnight: datetime):
    assert next_midnight(after, ZoneInfo(zone)) == midnight


def test_the_first_instant_of_a_day_bears_its_date_and_the_one_before_does_not():
    cairo = ZoneInfo("Africa/Cairo")

    begins = day_begins(date(2024, 4, 26), cairo)

    assert begins.astimezone(cairo).date() == date(2024, 4, 26)
    assert (begins - timedelta(microseconds=1)).astimezone(cairo).date() == date(2024, 4, 25)


def test_midnight_is_midnight_in_its_own_zone_alone():
    assert is_midnight(at(2031, 5, 1, 15), ZoneInfo("Asia/Tokyo"))
    assert not is_midnight(at(2031, 5, 1, 15), UTC)
    assert is_midnight(at(2024, 4, 25, 22), ZoneInfo("Africa/Cairo"))


def test_a_week_begins_on_monday_where_the_user_lives():
    sunday_night = at(2031, 5, 4, 20)

    assert week_begins(sunday_night, UTC) == at(2031, 4, 28)
    assert week_begins(sunday_night, ZoneInfo("Asia/Tokyo")) == at(2031, 5, 4, 15)
