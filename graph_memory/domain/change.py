"""The audit trail: what was changed, from what, to what, why, by whom, when. Only ever added to."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.memory import Json


class Action(StrEnum):
    """What can happen to a memory or its neighbours (constants.md 2.9, operations.md)."""

    ADD = "add"
    UPDATE = "update"
    FORGET = "forget"
    RESTORE = "restore"
    ERASE = "erase"
    ERASE_EVERYTHING = "erase_everything"
    LINK = "link"
    UNLINK = "unlink"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One audit row. `before` and `after` are what the field held, as JSON values."""

    id: str
    target_id: str
    at: datetime
    action: Action
    field: str | None = None
    before: Json = None
    after: Json = None
    delta: float | None = None
    reason: str | None = None
    actor: str = "user"
