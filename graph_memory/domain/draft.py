"""What a caller asks to be remembered: checked in one place, with the defaults of its kind.

Source: operations.md, Writing; limits: constants.md 2.11.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

from graph_memory.domain.dates import in_utc
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.identity import name_key
from graph_memory.domain.memory import Json
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import (
    DEFAULT_BUCKET,
    GENERAL_BUCKET,
    Category,
    EpistemicType,
    Horizon,
    Kind,
    Lane,
    Source,
)
from graph_memory.errors import InvalidValueError, Problem

_EARLIEST = datetime(1, 1, 2, tzinfo=UTC)  # a day of room for every zone
_USER_SPEAKERS = frozenset({"user", "me", "self"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large each part of an input may be; characters unless the name says otherwise."""

    text_characters: int = 20_000
    name_characters: int = 200
    identifier_characters: int = 256
    tags: int = 20
    tag_characters: int = 64
    names: int = 50
    metadata_bytes: int = 8_192
    rows: int = 1_000
    reason_characters: int = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraft:
    """One thing to remember, as the caller gave it; None means: the default of its kind."""

    text: str
    kind: Kind = Kind.EPISODIC
    epistemic_type: EpistemicType | None = None
    category: Category | None = None
    horizon: Horizon | None = None
    bucket: str | None = None
    lane: Lane | None = None
    general: bool = False
    source: Source | None = None
    confidence: float | None = None
    speaker: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    people: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    external_id: str | None = None
    pinned: bool = False
    occurred_at: datetime | None = None
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    idempotency_key: str | None = None
    curate: bool = True  # whether it is compared with what is known


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedDraft:
    """A draft that keeps every rule, with nothing left to default but what the moment of writing gives."""

    text: str
    kind: Kind
    epistemic_type: EpistemicType
    category: Category
    horizon: Horizon
    bucket: str
    lane: Lane
    general: bool
    source: Source
    confirmed: bool
    confidence: float
    occurred_at: datetime | None
    valid_at: datetime | None
    idempotency_key: str | None
    speaker: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    people: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    external_id: str | None = None
    pinned: bool = False
    invalid_at: datetime = FAR_FUTURE
    curate: bool = True


@dataclass(frozen=True, slots=True)
class KindDefaults:
    """What a kind of memory is when the caller does not say."""

    epistemic_type: EpistemicType
    lane: Lane


KIND_DEFAULTS = {
    Kind.EPISODIC: KindDefaults(EpistemicType.EXPERIENCE, Lane.SHORT_TERM),
    Kind.SEMANTIC: KindDefaults(EpistemicType.FACT, Lane.FACTS_PREFS),
}


def checked(
    draft: MemoryDraft,
    *,
    limits: Limits,
    initial_confidence: Mapping[EpistemicType, float],
    medium_confidence: float,
    zone: tzinfo = UTC,
) -> CheckedDraft:
    """The draft with its defaults. Raises InvalidValueError that lists every problem of it."""
    draft = _in_utc(draft, zone)
    if problems := list(_problems(draft, limits)):
        raise InvalidValueError("memory", problems)
    defaults = KIND_DEFAULTS[draft.kind]
    epistemic_type = draft.epistemic_type or defaults.epistemic_type
    horizon = draft.horizon or Horizon.LONG
    confidence = initial_confidence[epistemic_type] if horizon is Horizon.LONG else medium_confidence
    source = draft.source or _default_source(draft)
    return CheckedDraft(
        text=draft.text,
        kind=draft.kind,
        epistemic_type=epistemic_type,
        category=draft.category or Category.OTHER,
        horizon=horizon,
        bucket=GENERAL_BUCKET if draft.general else draft.bucket or DEFAULT_BUCKET,
        lane=draft.lane or defaults.lane,
        general=draft.general or draft.bucket == GENERAL_BUCKET,
        source=source,
        confirmed=source is Source.USER_STATED,
        confidence=confidence if draft.confidence is None else draft.confidence,
        speaker=draft.speaker,
        session_id=draft.session_id,
        agent_id=draft.agent_id,
        people=distinct_names(draft.people),
        entities=distinct_names(draft.entities),
        tags=tuple(dict.fromkeys(draft.tags)),
        metadata=draft.metadata,
        external_id=draft.external_id,
        pinned=draft.pinned,
        occurred_at=draft.occurred_at,
        valid_at=draft.valid_at,
        invalid_at=draft.invalid_at or FAR_FUTURE,
        idempotency_key=draft.idempotency_key,
        curate=draft.curate,
    )


def _default_source(draft: MemoryDraft) -> Source:
    if draft.kind is not Kind.EPISODIC or not draft.speaker or is_user(draft.speaker):
        return Source.USER_STATED
    return Source.EXTRACTED


def is_user(speaker: str) -> bool:
    """Whether a speaker's name means the user."""
    return name_key(speaker) in _USER_SPEAKERS


def distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, in order, in its first spelling."""
    return tuple({name_key(name): name.strip() for name in reversed(tuple(names))}.values())[::-1]


def _in_utc(draft: MemoryDraft, zone: tzinfo) -> MemoryDraft:
    """The draft with its sound dates in UTC; the others stay for the problems to name."""

    def moved(name: str, date: datetime | None) -> datetime | None:
        return date if date is None or list(date_problems(name, date)) else in_utc(date, zone=zone)

    return replace(
        draft,
        occurred_at=moved("occurred_at", draft.occurred_at),
        valid_at=moved("valid_at", draft.valid_at),
        invalid_at=moved("invalid_at", draft.invalid_at),
    )


def _problems(draft: MemoryDraft, limits: Limits) -> Iterable[Problem]:
    yield from text_problems("text", draft.text, most_characters=limits.text_characters)
    yield from _kind_problems(draft)
    yield from name_problems("speaker", (draft.speaker,), limits)
    yield from name_problems("people", draft.people, limits)
    yield from name_problems("entities", draft.entities, limits)
    yield from tag_problems(draft.tags, limits)
    for field_name in ("bucket", "session_id", "agent_id", "external_id", "idempotency_key"):
        yield from identifier_problems(field_name, getattr(draft, field_name), limits)
    yield from metadata_problems(draft.metadata, limits)
    if draft.confidence is not None and not 0.0 <= draft.confidence <= 1.0:
        yield Problem("confidence", f"is {draft.confidence}; it must lie in 0..1")
    for field_name in ("occurred_at", "valid_at", "invalid_at"):
        yield from date_problems(field_name, getattr(draft, field_name))
    yield from interval_problems(draft.valid_at or draft.occurred_at, draft.invalid_at)


def _kind_problems(draft: MemoryDraft) -> Iterable[Problem]:
    if draft.kind is Kind.DECISION:
        yield Problem("kind", "a decision is entered with `decide`")
    if draft.kind is Kind.SCHEMA:
        yield Problem("kind", "schemas are made by sleep, they are not entered")
    if draft.general and draft.bucket not in (None, GENERAL_BUCKET):
        yield Problem("bucket", f"a general memory lives in bucket {GENERAL_BUCKET!r}, not in {draft.bucket!r}")


def name_problems(field_name: str, names: Iterable[str | None], limits: Limits) -> Iterable[Problem]:
    """What is wrong with names of persons or entities; absent ones are right."""
    given = [name for name in names if name is not None]
    if len(given) > limits.names:
        yield Problem(field_name, f"has {len(given)} names; at most {limits.names} are allowed")
    for name in given:
        yield from text_problems(field_name, name, most_characters=limits.name_characters)


def tag_problems(tags: Iterable[str], limits: Limits) -> Iterable[Problem]:
    """What is wrong with a list of tags."""
    given = list(tags)
    if len(given) > limits.tags:
        yield Problem("tags", f"has {len(given)} tags; at most {limits.tags} are allowed")
    for tag in given:
        yield from text_problems("tags", tag, most_characters=limits.tag_characters)


def identifier_problems(field_name: str, value: str | None, limits: Limits) -> Iterable[Problem]:
    """What is wrong with a short free-named field; an absent one is right."""
    if value is not None:
        yield from text_problems(field_name, value, most_characters=limits.identifier_characters)


def reason_problems(reason: str | None, limits: Limits) -> Iterable[Problem]:
    """What is wrong with the reason given for a change; an absent one is right."""
    if reason is not None:
        yield from text_problems("reason", reason, most_characters=limits.reason_characters)


def metadata_problems(metadata: Mapping[str, Json], limits: Limits) -> Iterable[Problem]:
    """What is wrong with the caller's own data."""
    if not isinstance(metadata, Mapping):
        yield Problem("metadata", "must be a JSON object")
        return
    try:
        written = json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        yield Problem("metadata", f"cannot be written as JSON: {error}")
        return
    for text in _texts(metadata):
        yield from text_problems("metadata", text, most_characters=len(text), blank_allowed=True)
    if (size := len(written.encode("utf-8", "replace"))) > limits.metadata_bytes:
        yield Problem("metadata", f"takes {size} bytes; at most {limits.metadata_bytes} are allowed")


def _texts(value: object) -> Iterator[str]:
    """Every text within a JSON value, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from (*_texts(name), *_texts(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def date_problems(field_name: str, instant: datetime | None) -> Iterable[Problem]:
    """What is wrong with an instant; an absent one is right."""
    if instant is None:
        return []
    aware = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    if not _EARLIEST <= aware < FAR_FUTURE:
        return [Problem(field_name, f"is {instant.isoformat()}; it must lie between year 1 and {FAR_FUTURE.date()}")]
    return []


def interval_problems(valid_at: datetime | None, invalid_at: datetime | None) -> Iterable[Problem]:
    """What is wrong with an interval of validity."""
    if valid_at is None or invalid_at is None or (valid_at.tzinfo is None) != (invalid_at.tzinfo is None):
        return
    if invalid_at <= valid_at:
        yield Problem("invalid_at", "must be later than valid_at")
