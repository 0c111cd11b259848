"""The clock and the ids of a running product."""

from datetime import UTC, datetime

import uuid_utils


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class TimeOrderedIds:
    """UUIDs of version 7: unique, and sorting by the time at which this process made them (RFC 9562)."""

    def new(self) -> str:
        return str(uuid_utils.uuid7())
