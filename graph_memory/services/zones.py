"""Time zones by their IANA names."""

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

from graph_memory.errors import InvalidValueError, Problem


def zone_of(name: str) -> tzinfo:
    """The IANA zone of a name. Raises InvalidValueError."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise InvalidValueError("time zone", [Problem("time_zone", f"{name!r} is no IANA time zone")]) from None
