"""The first instant of a day where a user lives.

Clocks may be put forward at midnight, so that a day begins at one, or back, so that midnight comes twice: a day begins
at the first instant that bears its date, which is what these functions give, in UTC.
"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo


def day_begins(day: date, zone: tzinfo) -> datetime:
    """The first instant of a calendar day in a zone, in UTC."""
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)


def next_midnight(after: datetime, zone: tzinfo) -> datetime:
    """The first instant of the next calendar day in a zone; always later than `after`."""
    return day_begins(after.astimezone(zone).date() + timedelta(days=1), zone)


def is_midnight(instant: datetime, zone: tzinfo) -> bool:
    """Whether a calendar day begins in a zone at that very instant."""
    return day_begins(instant.astimezone(zone).date(), zone) == instant


def week_begins(at: datetime, zone: tzinfo) -> datetime:
    """The first instant of the calendar week (Monday) of `at` in a zone."""
    day = at.astimezone(zone).date()
    return day_begins(day - timedelta(days=day.weekday()), zone)
