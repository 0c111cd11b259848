"""The scalars of the API: instants, days and free JSON."""

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NewType

import strawberry

from api.limits import ApiLimits

Json = NewType("Json", object)
_ISO_8601 = re.compile(r"\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?)?")


class BadScalarError(ValueError):
    """A value that is none of the scalar's; the text is for the caller."""


def _read_instant(value: Any) -> datetime:
    """The instant that a text names; without an offset it stays naive, for the service to read in the user's zone."""
    if not isinstance(value, str) or not _ISO_8601.fullmatch(value):
        raise BadScalarError(f"{_shortly(value)} is no ISO 8601 date such as 2031-05-08T14:30:00+02:00")
    try:
        return datetime.fromisoformat(value.upper())
    except ValueError as error:
        raise BadScalarError(f"{_shortly(value)} is no date: {error}") from None


def _read_day(value: Any) -> date:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise BadScalarError(f"{_shortly(value)} is no day such as 2031-05-08") from None


def _write_instant(value: datetime) -> str:
    return value.isoformat()


def _read_json(value: Any) -> Any:
    if _is_deeper(value, ApiLimits().json_depth):
        raise BadScalarError(f"is nested deeper than {ApiLimits().json_depth} levels")
    return value


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether lists and objects are nested beyond `levels`; asked level by level, so that no depth overflows."""
    layer = [value]
    for _ in range(levels):
        layer = [inner for each in layer for inner in _inside(each)]
        if not layer:
            return False
    return any(isinstance(each, list | Mapping) for each in layer)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return value if isinstance(value, list) else []


def _shortly(value: Any) -> str:
    written = json.dumps(value, default=str)
    return written if len(written) <= 60 else f"{written[:60]}…"


SCALARS: dict[object, Any] = {
    datetime: strawberry.scalar(
        name="DateTime",
        description="An instant as ISO 8601 text. Answers carry an offset and microseconds; a time given without an"
        " offset is read in the user's zone, a date alone as its midnight.",
        serialize=_write_instant,
        parse_value=_read_instant,
    ),
    date: strawberry.scalar(
        name="Date",
        description="A day of the calendar as ISO 8601 text.",
        serialize=date.isoformat,
        parse_value=_read_day,
    ),
    Json: strawberry.scalar(
        name="JSON",
        description="Any JSON value.",
        serialize=lambda value: value,
        parse_value=_read_json,
    ),
}
