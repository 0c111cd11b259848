"""Amend: update, forget, restore and erase what is stored (operations.md, Writing)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from graph_memory.domain.change import Action, Change
from graph_memory.domain.dates import in_utc
from graph_memory.domain.draft import (
    date_problems,
    distinct_names,
    identifier_problems,
    interval_problems,
    metadata_problems,
    name_problems,
    reason_problems,
    tag_problems,
)
from graph_memory.domain.identity import text_hash
from graph_memory.domain.memory import Json, Memory
from graph_memory.domain.sameness import hash_after
from graph_memory.domain.text import is_blank
from graph_memory.domain.vocabulary import GENERAL_BUCKET, Category, Lane, UserId
from graph_memory.errors import InvalidValueError, NotFoundError, Problem
from graph_memory.ports import Clock, Ids, MemoryStore
from graph_memory.services.birth import indexed
from graph_memory.services.drawn import remnants
from graph_memory.services.enrich import Enrich
from graph_memory.services.inspect import Inspect
from graph_memory.services.name_books import NameBooks
from graph_memory.services.part import Part
from graph_memory.services.user_book import UserBook
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What changes about a memory; None leaves a field as it is. Its text is never changed by this."""

    bucket: str | None = None
    lane: Lane | None = None
    category: Category | None = None
    tags: tuple[str, ...] | None = None
    metadata: Mapping[str, Json] | None = None
    occurred_at: datetime | None = None
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    people: tuple[str, ...] | None = None
    entities: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What an erasure removed: memories, and neighbours, persons and entities that changed or went with them."""

    erased: int
    derived_touched: int
    tombstone: bool


# What a memory may be linked to rests on these beside its text.
_PLACES = frozenset({"bucket", "general", "occurred_at", "valid_at", "invalid_at"})


class Amend:
    """Changes what is stored, always with an audit row."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        inspect: Inspect,
        books: NameBooks,
        user_book: UserBook,
        enrich: Enrich,
        part: Part,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._memories, self._inspect, self._books, self._enrich = memories, inspect, books, enrich
        self._part = part
        self._user_book = user_book
        self._clock, self._ids, self._settings = clock, ids, settings

    async def update(self, user_id: UserId, memory_id: str, update: Update) -> Memory:
        """Changes where a memory belongs and when it holds. Raises InvalidValueError, NotFoundError, ConflictError."""
        memory = await self._inspect.memory(user_id, memory_id)
        zone = zone_of((await self._inspect.settings(user_id)).time_zone)
        if problems := list(_update_problems(memory, update, self._settings)):
            raise InvalidValueError("update", problems)
        now = self._clock.now()
        updated = _updated(memory, update, now, zone)
        fields = _changed_fields(memory, updated)
        if not fields:
            return memory
        renamed = "people" in fields or "entities" in fields
        await self._memories.update(
            updated,
            content_hash=hash_after(memory, updated),
            search_text=indexed(updated, zone=zone).search_text,
            changes=[self._change(memory, name, *pair, now) for name, pair in fields.items()],
            at=now,
            moves_in_session="occurred_at" in fields and memory.session_id is not None,
            renamed=renamed,
            moved=bool(_PLACES & fields.keys()),
        )
        if renamed:
            self._books.drop(user_id)
            self._enrich.nudge()
        return await self._inspect.memory(user_id, memory_id)

    async def forget(self, user_id: UserId, memory_id: str, *, reason: str | None = None) -> Memory:
        """Takes a memory out of recall; it stays listed and can be restored. Raises NotFoundError."""
        memory = await self._inspect.memory(user_id, memory_id)
        now = self._clock.now()
        await self._memories.expire(user_id, memory.id, self._act(memory, Action.FORGET, reason, now), at=now)
        self._enrich.nudge()
        return await self._inspect.memory(user_id, memory_id)

    async def restore(self, user_id: UserId, memory_id: str, *, reason: str | None = None) -> Memory:
        """Makes a forgotten, replaced or negated memory current. Raises NotFoundError, ConflictError."""
        memory = await self._inspect.memory(user_id, memory_id)
        now = self._clock.now()
        if memory.is_current(now):
            return memory
        states = self._settings.activation_curve().state_dates(memory.activation, pinned=memory.pinned)
        world_closed = memory.interval.invalid_at <= now
        begins_with: dict[str, object] = {
            "dream_at": states.dream_at,
            "forgotten_at": states.forgotten_at,
            "archive_at": states.archive_at,
            "state": states.state(now).value,
            "valid_at": now if world_closed else memory.interval.valid_at,
        }
        change = self._act(memory, Action.RESTORE, reason, now)
        await self._memories.restore(user_id, memory.id, begins_with, change, at=now)
        self._enrich.nudge()
        return await self._inspect.memory(user_id, memory_id)

    async def erase(self, user_id: UserId, memory_id: str, *, reason: str | None = None) -> Erased:
        """Removes a memory for good, with all that speaks of it; a tombstone stays. Raises NotFoundError."""
        memory = await self._inspect.memory(user_id, memory_id)
        now = self._clock.now()
        change = self._act(memory, Action.ERASE, reason, now)
        parted = await self._part(user_id, memory, at=now)
        zone = zone_of((await self._inspect.settings(user_id)).time_zone)
        touched = await self._memories.erase(
            user_id,
            memory.id,
            text_hash(user_id, memory.text),
            change,
            remnants=remnants(user_id, zone=zone, at=now, ids=self._ids, settings=self._settings),
            at=now,
        )
        if touched is None:
            raise NotFoundError("memory", memory_id)
        self._books.drop(user_id)
        self._enrich.nudge()
        return Erased(erased=1, derived_touched=touched + parted, tombstone=True)

    async def erase_everything(self, user_id: UserId, *, confirm: str) -> Erased:
        """Removes all of a user but one audit row; `confirm` repeats the user's id. Raises InvalidValueError."""
        if confirm != user_id or is_blank(user_id):
            raise InvalidValueError("eraseEverything", [Problem("confirm", "must be the user's own id")])
        now = self._clock.now()
        change = Change(id=self._ids.new(), target_id=user_id, at=now, action=Action.ERASE_EVERYTHING)
        erased = await self._memories.erase_everything(user_id, change, at=now)
        self._books.drop(user_id)
        self._user_book.drop(user_id)
        return Erased(erased=erased, derived_touched=0, tombstone=False)

    def _act(self, memory: Memory, action: Action, reason: str | None, now: datetime) -> Change:
        if problems := list(reason_problems(reason, self._settings.limits)):
            raise InvalidValueError(action.value, problems)
        return Change(id=self._ids.new(), target_id=memory.id, at=now, action=action, reason=reason)

    def _change(self, memory: Memory, name: str, before: Json, after: Json, now: datetime) -> Change:
        return Change(
            id=self._ids.new(),
            target_id=memory.id,
            at=now,
            action=Action.UPDATE,
            field=name,
            before=before,
            after=after,
        )


def _update_problems(memory: Memory, update: Update, settings: Settings) -> Iterable[Problem]:
    limits = settings.limits
    yield from identifier_problems("bucket", update.bucket, limits)
    if memory.general and update.bucket not in (None, GENERAL_BUCKET):
        yield Problem("bucket", f"a general memory lives in bucket {GENERAL_BUCKET!r}")
    yield from tag_problems(update.tags or (), limits)
    yield from metadata_problems({} if update.metadata is None else update.metadata, limits)
    yield from name_problems("people", update.people or (), limits)
    yield from name_problems("entities", update.entities or (), limits)
    for name in ("occurred_at", "valid_at", "invalid_at"):
        yield from date_problems(name, getattr(update, name))
    if update.invalid_at is not None:
        yield from interval_problems(update.valid_at or memory.interval.valid_at, in_utc(update.invalid_at))


def _updated(memory: Memory, update: Update, now: datetime, zone: tzinfo) -> Memory:
    """The memory as it will be."""
    valid_at, invalid_at = (given and in_utc(given, zone=zone) for given in (update.valid_at, update.invalid_at))
    interval = replace(
        memory.interval,
        valid_at=valid_at or memory.interval.valid_at,
        invalid_at=invalid_at or memory.interval.invalid_at,
        invalidated_at=now if invalid_at else memory.interval.invalidated_at,
    )
    return replace(
        memory,
        bucket=update.bucket or memory.bucket,
        general=memory.general or update.bucket == GENERAL_BUCKET,
        lane=update.lane or memory.lane,
        category=update.category or memory.category,
        tags=memory.tags if update.tags is None else tuple(dict.fromkeys(update.tags)),
        metadata=memory.metadata if update.metadata is None else update.metadata,
        occurred_at=in_utc(update.occurred_at, zone=zone) if update.occurred_at else memory.occurred_at,
        interval=interval,
        given_people=memory.given_people if update.people is None else distinct_names(update.people),
        given_entities=memory.given_entities if update.entities is None else distinct_names(update.entities),
    )


def _changed_fields(before: Memory, after: Memory) -> dict[str, tuple[Json, Json]]:
    """Field → (before, after) as JSON, for what differs."""
    pairs = zip(_fields(before).items(), _fields(after).values(), strict=True)
    return {name: (old, new) for (name, old), new in pairs if old != new}


def _fields(memory: Memory) -> dict[str, Json]:
    return {
        "bucket": memory.bucket,
        "general": memory.general,
        "lane": memory.lane.value,
        "category": memory.category.value,
        "tags": list(memory.tags),
        "metadata": dict(memory.metadata),
        "occurred_at": memory.occurred_at.isoformat(),
        "valid_at": memory.interval.valid_at.isoformat(),
        "invalid_at": memory.interval.invalid_at.isoformat(),
        "people": list(memory.given_people),
        "entities": list(memory.given_entities),
    }
