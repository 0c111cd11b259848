"""The audit trail: what was changed, from what, to what, why, by whom, when. Only ever added to."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.memory import Json, Memory


class Action(StrEnum):
    """What can happen to a memory or its neighbours (constants.md 2.9, operations.md)."""

    ADD = "add"
    UPDATE = "update"
    FORGET = "forget"
    RESTORE = "restore"
    ERASE = "erase"
    ERASE_EVERYTHING = "erase_everything"
    CONFIRM = "confirm"
    RE_EXPOSURE = "re_exposure"
    ACCESS = "access"
    ENRICH = "enrich"
    WEAKEN = "weaken"
    CONTRADICT = "contradict"
    REINFORCE = "reinforce"
    SUPPRESS = "suppress"
    FADE = "fade"
    STATE = "state"
    TOUCH = "touch"
    PIN = "pin"
    UNPIN = "unpin"
    REFINE = "refine"
    PROMOTE = "promote"
    MERGE = "merge"
    EXPIRE = "expire"
    EDIT = "edit"
    SUPERSEDE = "supersede"
    NEGATE = "negate"
    OUTCOME = "outcome"
    MENTION = "mention"
    MERGE_PEOPLE = "merge_people"
    UNDO_MERGE = "undo_merge"
    SETTINGS = "settings"
    LINK = "link"
    UNLINK = "unlink"
    START_EPISODE = "start_episode"
    END_EPISODE = "end_episode"
    DELETE_EPISODE = "delete_episode"


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
    arousal: float | None = None  # of the utterance that triggered the change
    reason: str | None = None
    actor: str = "user"


def belief_change(
    identifier: str,
    before: Memory,
    after: Memory,
    action: Action,
    at: datetime,
    *,
    arousal: float | None = None,
    reason: str | None = None,
    actor: str = "user",
) -> Change:
    """The audit row of a step of confidence."""
    return Change(
        id=identifier,
        target_id=before.id,
        at=at,
        action=action,
        field="confidence",
        before=before.confidence,
        after=after.confidence,
        delta=after.confidence - before.confidence,
        arousal=arousal,
        reason=reason,
        actor=actor,
    )


def supersede_change(identifier: str, before: Memory, after: Memory, at: datetime, *, reason: str | None) -> Change:
    """The audit row of a memory whose place was taken."""
    return Change(
        id=identifier,
        target_id=before.id,
        at=at,
        action=Action.SUPERSEDE,
        field="invalid_at",
        before=before.interval.invalid_at.isoformat(),
        after=after.interval.invalid_at.isoformat(),
        reason=reason,
    )


def promote_change(identifier: str, before: Memory, after: Memory, at: datetime, *, reason: str | None) -> Change:
    """The audit row of an observation that became an established fact."""
    return Change(
        id=identifier,
        target_id=before.id,
        at=at,
        action=Action.PROMOTE,
        field="horizon",
        before=before.horizon.value,
        after=after.horizon.value,
        reason=reason,
        actor="system",
    )
