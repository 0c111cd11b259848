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
_HOUR_MINUTES, _DAY_MINUTES, _WEEK_DAYS = 60, 1_440, 7


def in_utc(instant: datetime, *, zone: tzinfo = UTC) -> datetime:
    """The same instant in UTC; one without an offset is read in `zone` (the user's)."""
    aware = instant if instant.tzinfo else instant.replace(tzinfo=zone)
    return aware.astimezone(UTC)


def date_words(instant: datetime, *, zone: tzinfo = UTC) -> str:
    """The calendar day as words, "8 May 2023"."""
    day = instant.astimezone(zone)
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def age_words(instant: datetime, now: datetime, *, zone: tzinfo = UTC) -> str:
    """How long ago it was: "5m ago", "3h ago", "yesterday", "4 days ago", then the day and month, "8 May".

    Days are calendar days of the reader's zone; what lies ahead counts as now. Source: constants.md 2.8 (Context).
    """
    minutes = int(max(0.0, (now - instant).total_seconds()) // 60)
    if minutes < _HOUR_MINUTES:
        return f"{minutes}m ago"
    if minutes < _DAY_MINUTES:
        return f"{minutes // _HOUR_MINUTES}h ago"
    then = instant.astimezone(zone)
    days = (now.astimezone(zone).date() - then.date()).days
    if days <= 1:
        return "yesterday"
    return f"{days} days ago" if days < _WEEK_DAYS else f"{then.day} {_MONTHS[then.month - 1]}"
