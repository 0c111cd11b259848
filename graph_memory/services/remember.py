"""Remember: check, embed, write. The answer comes after the commit; enrichment follows and cannot lose the write."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

from graph_memory.domain.draft import CheckedDraft, MemoryDraft, checked
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import MemoryId, UserId, WriteOperation
from graph_memory.errors import GraphMemoryError, InvalidValueError, LimitExceededError, Problem
from graph_memory.ports import Clock, Embedder, Ids, MemoryStore, NewMemory, UserSettings, UserStore, Written
from graph_memory.services.birth import newborn
from graph_memory.services.enrich import Enrich
from graph_memory.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of one draft. `memory` is None only where a tombstone vetoed it."""

    index: int
    operation: WriteOperation
    memory: Memory | None
    superseded: tuple[Memory, ...] = ()
    replayed: bool = False
    vetoed: bool = False


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A draft of many that was not written, and why."""

    index: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedMany:
    """What became of many drafts, each on its own."""

    results: tuple[Remembered, ...]
    failed: tuple[RejectedRow, ...]

    @property
    def added(self) -> int:
        return sum(each.operation is WriteOperation.ADD and not each.replayed for each in self.results)


class Remember:
    """Writes memories."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        users: UserStore,
        embedder: Embedder,
        enrich: Enrich,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._memories, self._users, self._embedder = memories, users, embedder
        self._enrich, self._clock, self._ids, self._settings = enrich, clock, ids, settings

    async def __call__(
        self, user_id: UserId, draft: MemoryDraft, *, time_zone: str | None = None, wait: bool = False
    ) -> Remembered:
        """Writes one memory. Raises InvalidValueError, InferenceError, StoreError.

        Args:
            time_zone: the IANA zone of dates without an offset; None: the user's.
            wait: answer only when enrichment is done too.
        """
        user, zone = await self._user_and_zone(user_id, time_zone)
        [written] = await self._write(user_id, [(0, self._checked(draft, zone))], user=user, zone=zone)
        if isinstance(written, GraphMemoryError):
            raise written
        if wait and written.memory is not None:
            return replace(written, memory=await self._enrich.settled(user_id, written.memory))
        return written

    async def many(self, user_id: UserId, drafts: Sequence[MemoryDraft]) -> RememberedMany:
        """Writes many memories; a row that breaks a rule fails alone. Raises LimitExceededError, StoreError."""
        if len(drafts) > self._settings.limits.rows:
            raise LimitExceededError(f"{len(drafts)} rows at once; at most {self._settings.limits.rows} are allowed")
        user, zone = await self._user_and_zone(user_id, None)
        sound: list[tuple[int, CheckedDraft]] = []
        failed: list[RejectedRow] = []
        for index, draft in enumerate(drafts):
            try:
                sound.append((index, self._checked(draft, zone)))
            except InvalidValueError as error:
                failed.append(RejectedRow(index, error.problems))
        results: list[Remembered] = []
        for (index, _), outcome in zip(sound, await self._write(user_id, sound, user=user, zone=zone), strict=True):
            if isinstance(outcome, GraphMemoryError):
                failed.append(RejectedRow(index, (Problem("row", str(outcome)),)))
            else:
                results.append(outcome)
        return RememberedMany(results=tuple(results), failed=tuple(sorted(failed, key=lambda row: row.index)))

    async def _write(
        self, user_id: UserId, drafts: Sequence[tuple[int, CheckedDraft]], *, user: UserSettings, zone: tzinfo
    ) -> list[Remembered | GraphMemoryError]:
        if not drafts:
            return []
        vectors = await self._embedder.embed_passages([draft.text for _, draft in drafts])
        now = self._clock.now()
        new = [
            newborn(
                draft,
                user_id=user_id,
                embedding=vector,
                now=now,
                zone=zone,
                user=user,
                ids=self._ids,
                settings=self._settings,
            )
            for (_, draft), vector in zip(drafts, vectors, strict=True)
        ]
        written = await self._memories.add(new)
        standing = await self._standing(user_id, new, written)
        self._enrich.nudge()
        return [
            _told(index, each, outcome, standing)
            for (index, _), each, outcome in zip(drafts, new, written, strict=True)
        ]

    async def _standing(
        self, user_id: UserId, new: Sequence[NewMemory], written: Sequence[Written | GraphMemoryError]
    ) -> dict[MemoryId, Memory]:
        """The memories that were there before, which an answer names instead of the new ones."""
        own = {each.memory.id for each in new}
        named = {each.memory_id for each in written if isinstance(each, Written) and each.memory_id}
        return await self._memories.get(user_id, sorted(named - own)) if named - own else {}

    def _checked(self, draft: MemoryDraft, zone: tzinfo) -> CheckedDraft:
        salience = self._settings.salience
        return checked(
            draft,
            limits=self._settings.limits,
            initial_confidence=salience.initial_confidence,  # type: ignore[arg-type]  # its keys are the words
            medium_confidence=salience.medium_confidence,
            zone=zone,
        )

    async def _user_and_zone(self, user_id: UserId, time_zone: str | None) -> tuple[UserSettings, tzinfo]:
        user = await self._users.settings(user_id) or UserSettings(tier_profile=self._settings.decay.tier_profile)
        return user, zone_of(time_zone or user.time_zone)


def zone_of(name: str) -> tzinfo:
    """The IANA zone of a name. Raises InvalidValueError."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise InvalidValueError("time zone", [Problem("time_zone", f"{name!r} is no IANA time zone")]) from None


def _told(
    index: int, new: NewMemory, outcome: Written | GraphMemoryError, standing: dict[MemoryId, Memory]
) -> Remembered | GraphMemoryError:
    if isinstance(outcome, GraphMemoryError):
        return outcome
    memory = new.memory if outcome.memory_id == new.memory.id else standing.get(outcome.memory_id or MemoryId(""))
    return Remembered(
        index=index,
        operation=outcome.operation,
        memory=memory,
        replayed=outcome.replayed,
        vetoed=outcome.vetoed,
    )
