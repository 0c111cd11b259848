"""Places in lists that are sorted by a date, then by an id."""

from datetime import UTC, datetime
from typing import Any

from graph_memory.ports import Position


def position_at(at: datetime, identifier: str) -> Position:
    """Where the row of that date and id stands."""
    return Position(at.timestamp(), identifier)


def after_position(after: Position | None) -> dict[str, Any]:
    """The parameters `after_at` and `after_id` of a query that goes on behind `after`; None begins at the top."""
    if after is None:
        return {"after_at": None, "after_id": None}
    return {"after_at": datetime.fromtimestamp(after.key, UTC), "after_id": after.id}
