"""Instants from outside, and dates as words that a search can find."""

from datetime import UTC, datetime, tzinfo

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def in_utc(instant: datetime, *, zone: tzinfo = UTC) -> datetime:
    """The same instant in UTC; one without an offset is read in `zone` (the user's)."""
    aware = instant if instant.tzinfo else instant.replace(tzinfo=zone)
    return aware.astimezone(UTC)


def date_words(instant: datetime, *, zone: tzinfo = UTC) -> str:
    """The calendar day as words, "8 May 2023"."""
    day = instant.astimezone(zone)
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
