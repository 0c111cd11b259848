"""Remember: check, embed, write. The answer comes after the commit; enrichment follows and cannot lose the write."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from graph_memory.domain.draft import CheckedDraft, MemoryDraft, checked
from graph_memory.domain.memory import Memory
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import Kind, MemoryId, UserId, WriteOperation
from graph_memory.errors import GraphMemoryError, InvalidValueError, LimitExceededError, Problem
from graph_memory.ports import Clock, Ids, MemoryStore, NewMemory, UserSettings, Written
from graph_memory.services.birth import newborn
from graph_memory.services.curate import Curate, Plan, can_be_replanned
from graph_memory.services.encode import Encode, Encoded
from graph_memory.services.enrich import Enrich
from graph_memory.services.user_book import UserBook
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

_TRIES = 5  # when what a statement takes the place of has moved on meanwhile, it is judged anew
_TICK = timedelta(microseconds=1)  # rows of one call come one after the other


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


@dataclass(frozen=True, slots=True)
class _Embedded:
    """A checked draft on its way, with its place among the caller's rows."""

    index: int
    draft: CheckedDraft
    encoded: Encoded


class Remember:
    """Writes memories."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        users: UserBook,
        encode: Encode,
        curate: Curate,
        enrich: Enrich,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._memories, self._users, self._encode, self._curate = memories, users, encode, curate
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

    async def prime(self) -> None:
        """Has the statements of a write planned, so that the first does not wait for it. Raises StoreError."""
        await self._memories.prime(at=self._clock.now())

    async def _write(
        self,
        user_id: UserId,
        drafts: Sequence[tuple[int, CheckedDraft]],
        *,
        user: UserSettings,
        zone: tzinfo,
    ) -> list[Remembered | GraphMemoryError]:
        outcomes: dict[int, Remembered | GraphMemoryError] = {**await self._replayed(user_id, drafts)}
        fresh = [(index, draft) for index, draft in drafts if index not in outcomes]
        encoded = await self._encode([draft.text for _, draft in fresh]) if fresh else []
        pending = [_Embedded(*draft, each) for draft, each in zip(fresh, encoded, strict=True)]
        for _ in range(_TRIES if pending else 0):
            now = self._clock.now()
            plans = await self._plans(user_id, pending, now)
            written = await self._carry_out(user_id, pending, plans, user=user, zone=zone, now=now)
            outcomes |= {each.index: told for each, told in zip(pending, written, strict=True)}
            overtaken = [can_be_replanned(plan, told) for plan, told in zip(plans, written, strict=True)]
            pending = [each for each, again in zip(pending, overtaken, strict=True) if again]
            if not pending:
                break
        self._enrich.nudge()
        return [outcomes[index] for index, _ in drafts]

    async def _replayed(self, user_id: UserId, drafts: Sequence[tuple[int, CheckedDraft]]) -> dict[int, Remembered]:
        """The first answers to keyed statements that come again: else curation would find them known, and count them.

        Of episodes the store tells, since they are not curated.
        """
        keyed = {
            index: draft.idempotency_key
            for index, draft in drafts
            if draft.idempotency_key is not None and draft.kind is not Kind.EPISODIC
        }
        known = await self._memories.replayed(user_id, list(keyed.values()))
        ids = {each.memory_id for each in known.values() if each.memory_id is not None}
        found = await self._memories.get(user_id, sorted(ids)) if ids else {}
        return {
            index: Remembered(index=index, operation=known[key].operation, memory=memory, replayed=True)
            for index, key in keyed.items()
            if key in known and (memory := found.get(known[key].memory_id or MemoryId("")))
        }

    async def _plans(self, user_id: UserId, drafts: Sequence[_Embedded], now: datetime) -> list[Plan]:
        """What curation makes of each draft; those of one call do not see each other."""
        return await asyncio.gather(
            *(self._curate.plan(user_id, each.draft, each.encoded.vector, at=now) for each in drafts)
        )

    async def _carry_out(
        self,
        user_id: UserId,
        drafts: Sequence[_Embedded],
        plans: Sequence[Plan],
        *,
        user: UserSettings,
        zone: tzinfo,
        now: datetime,
    ) -> list[Remembered | GraphMemoryError]:
        """Writes what is new, and changes what is known."""
        profile = self._settings.tier_profile(user.tier_profile)
        told: dict[int, Remembered | GraphMemoryError] = {}
        new: dict[int, NewMemory] = {}
        for place, (each, plan) in enumerate(zip(drafts, plans, strict=True)):
            if plan.makes_new:
                born = newborn(
                    each.draft,
                    user_id=user_id,
                    encoded=each.encoded,
                    now=now + place * _TICK,
                    zone=zone,
                    user=user,
                    ids=self._ids,
                    settings=self._settings,
                )
                new[place] = self._curate.with_succession(born, plan, at=born.memory.interval.created_at)
            else:
                told[place] = await self._change_known(user_id, each, plan, profile, now)
        written = await self._memories.add(list(new.values())) if new else []
        standing = await self._standing(user_id, list(new.values()), written)
        for (place, born), outcome in zip(new.items(), written, strict=True):
            answer = _told(drafts[place].index, born, outcome, standing, plans[place])
            told[place] = await self._repeated(user_id, drafts[place].draft, answer, profile, now)
        return [told[place] for place in range(len(drafts))]

    async def _change_known(
        self, user_id: UserId, each: _Embedded, plan: Plan, profile: TierProfile, now: datetime
    ) -> Remembered | GraphMemoryError:
        assert plan.old is not None
        try:
            if plan.verdict.operation is WriteOperation.NONE:
                memory = await self._curate.repeat(user_id, each.draft, plan.old.id, profile=profile, at=now)
            else:
                memory = await self._curate.enrich(user_id, each.draft, plan, profile=profile, at=now)
        except GraphMemoryError as error:
            return error
        return Remembered(index=each.index, operation=plan.verdict.operation, memory=memory)

    async def _repeated(
        self,
        user_id: UserId,
        draft: CheckedDraft,
        answer: Remembered | GraphMemoryError,
        profile: TierProfile,
        now: datetime,
    ) -> Remembered | GraphMemoryError:
        """An equal memory that was found while writing counts as said again too."""
        if isinstance(answer, GraphMemoryError) or answer.memory is None:
            return answer
        if answer.operation is not WriteOperation.NONE:
            return answer
        memory = await self._curate.repeat(user_id, draft, answer.memory.id, profile=profile, at=now)
        return replace(answer, memory=memory)

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
        user = await self._users.of(user_id)
        return user, zone_of(time_zone or user.time_zone)


def _told(
    index: int,
    new: NewMemory,
    outcome: Written | GraphMemoryError,
    standing: dict[MemoryId, Memory],
    plan: Plan,
) -> Remembered | GraphMemoryError:
    if isinstance(outcome, GraphMemoryError):
        return outcome
    memory = new.memory if outcome.memory_id == new.memory.id else standing.get(outcome.memory_id or MemoryId(""))
    return Remembered(
        index=index,
        operation=plan.verdict.operation if outcome.superseded else outcome.operation,
        memory=memory,
        superseded=outcome.superseded,
        replayed=outcome.replayed,
        vetoed=outcome.vetoed,
    )
