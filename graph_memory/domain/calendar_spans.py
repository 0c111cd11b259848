"""Spans of whole days on the calendar: a week, a month, a year, and steps between them. A week starts on Monday."""

from collections.abc import Callable
from datetime import date, timedelta

Span = tuple[date, date]  # first and last day, both included

SATURDAY = 5  # as date.weekday() counts
_DAYS = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
_YEARS_BETWEEN_LEAP_DAYS = 8  # at most, around a century


def one_day(day: date) -> Span:
    """A span of one day."""
    return day, day


def week(day: date) -> Span:
    """Monday to Sunday around `day`."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def month(year: int, number: int) -> Span:
    """The days of a month, 1..12."""
    first = date(year, number, 1)
    return first, months_later(first, 1) - timedelta(days=1)


def whole_year(year: int) -> Span:
    """The days of a year."""
    return date(year, 1, 1), date(year, 12, 31)


def around(day: date, unit: str) -> Span:
    """The day, week (also for a fortnight), weekend, month or year that holds `day` (a weekend: of its week)."""
    match unit:
        case "day":
            return one_day(day)
        case "weekend":
            _, sunday = week(day)
            return sunday - timedelta(days=1), sunday
        case "month":
            return month(day.year, day.month)
        case "year":
            return whole_year(day.year)
        case _:
            return week(day)


def moved(day: date, unit: str, count: int) -> date:
    """`count` units after `day`, before it when negative. Raises OverflowError or ValueError outside the calendar."""
    if unit in ("month", "year"):
        return months_later(day, count if unit == "month" else 12 * count)
    return day + timedelta(days=count * _DAYS[unit])


def months_later(day: date, months: int) -> date:
    """The same day of the month, or the last day of a month that is too short."""
    years, number = divmod(day.month - 1 + months, 12)
    first = date(day.year + years, number + 1, 1)
    following = date(first.year + number // 11, (number + 1) % 12 + 1, 1) if first.year < 9999 else None
    length = (following - first).days if following else 31
    return first.replace(day=min(day.day, length))


def latest_weekday(weekday: int, before: date) -> date:
    """The latest such weekday (Monday is 0) before a day."""
    return before - timedelta(days=(before.weekday() - weekday - 1) % 7 + 1)


def first_weekday(weekday: int, start: date) -> date:
    """The first such weekday (Monday is 0) from a day on."""
    return start + timedelta(days=(weekday - start.weekday()) % 7)


def span_near(spans: Callable[[int], Span], today: date, *, direction: int) -> Span | None:
    """Of a span that every year has, the one meant when no year is said.

    Args:
        spans: the span of a year; raises ValueError for a year without it (29 February).
        today: where it is looked at from.
        direction: -1 the latest that has begun, 1 the first that has not ended, 0 the nearest, in a tie the past one.
    """
    for reach in (1, _YEARS_BETWEEN_LEAP_DAYS):
        past, future = _begun_and_unended(spans, today, reach)
        if past and future:
            return _meant(past[-1], future[0], today, direction)
    return None


def _meant(latest: Span, first: Span, today: date, direction: int) -> Span:
    if direction:
        return latest if direction < 0 else first
    return latest if today - latest[1] <= first[0] - today else first


def _begun_and_unended(spans: Callable[[int], Span], today: date, reach: int) -> tuple[list[Span], list[Span]]:
    years = range(today.year - reach, today.year + reach + 1)
    held = [span for year in years if (span := _span_or_none(spans, year))]
    return [span for span in held if span[0] <= today], [span for span in held if span[1] >= today]


def _span_or_none(spans: Callable[[int], Span], year: int) -> Span | None:
    try:
        return spans(year)
    except (ValueError, OverflowError):
        return None
