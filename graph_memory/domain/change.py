"""The audit trail: what was changed, from what, to what, why, by whom, when. Only ever added to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.memory import Json, Memory
from graph_memory.domain.vocabulary import MemoryId


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


# What a conflict may change beside belief.
_PENALTY_FIELDS: dict[str, Callable[[Memory], Json]] = {
    "base_strength": lambda memory: memory.strength.base_strength,
    "visible_until": lambda memory: memory.visible_until.isoformat(),
    "invalid_at": lambda memory: memory.interval.invalid_at.isoformat(),
    "expired_at": lambda memory: memory.interval.expired_at.isoformat(),
    "state": lambda memory: memory.state.value,
}


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


def text_change(
    identifier: str,
    before: Memory,
    after: Memory,
    action: Action,
    at: datetime,
    *,
    delta: float | None = None,
    reason: str | None = None,
    actor: str = "user",
) -> Change:
    """The audit row of a text that took another's place; `delta` is a step of confidence that came with it."""
    return Change(
        id=identifier,
        target_id=before.id,
        at=at,
        action=action,
        field="text",
        before=before.text,
        after=after.text,
        delta=delta,
        reason=reason,
        actor=actor,
    )


def expiry_change(
    identifier: str, target_id: MemoryId, expired_at: datetime, action: Action, at: datetime, *, reason: str
) -> Change:
    """The audit row of a memory that the system stopped believing; `expired_at` is when it would have ended else."""
    return Change(
        id=identifier,
        target_id=target_id,
        at=at,
        action=action,
        field="expired_at",
        before=expired_at.isoformat(),
        after=at.isoformat(),
        reason=reason,
        actor="system",
    )


def fields_change(
    identifier: str,
    before: Memory,
    after: Memory,
    fields: Mapping[str, Callable[[Memory], Json]],
    action: Action,
    at: datetime,
    *,
    reason: str | None,
    actor: str,
) -> Change:
    """One audit row for an event, with those of `fields` that it changed; its delta is that of base strength."""
    changed = {name: (read(before), read(after)) for name, read in fields.items() if read(before) != read(after)}
    return Change(
        id=identifier,
        target_id=before.id,
        at=at,
        action=action,
        before={name: pair[0] for name, pair in changed.items()},
        after={name: pair[1] for name, pair in changed.items()},
        delta=after.strength.base_strength - before.strength.base_strength,
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


def penalty_change(
    identifier: str, before: Memory, after: Memory, action: Action, at: datetime, *, reason: str | None = None
) -> Change:
    """The audit row of all that a conflict takes from the older memory beside belief: its base, its place, its end."""
    return fields_change(identifier, before, after, _PENALTY_FIELDS, action, at, reason=reason, actor="system")
