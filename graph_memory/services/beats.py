"""Beats: what time does to memories of all users, done by whichever worker comes first (operations.md, Time).

No answer waits for a beat. The state of a memory is a matter of its dates; the beat only moves the label that people
see, and writes it down. Dates are solved when their inputs change; only when the settings behind them change are they
solved anew, in batches, by the process that was started last: its settings are the graph's.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from graph_memory.domain.change import Action, Change
from graph_memory.domain.memory import Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.vocabulary import State, UserId
from graph_memory.ports import BeatStore, Clock, Ids, LeaseStore, Transformed
from graph_memory.settings import Settings

# Lowest first, so that no memory falls two levels in one beat.
FALLS = ((State.FORGOTTEN, State.ARCHIVE), (State.DREAM, State.FORGOTTEN), (State.CORE, State.DREAM))
_STATES_JOB, _DATES_JOB = "state labels", "stale dates"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LOWER_BATCH = 500  # labels moved in one transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """What one tick moved: how many labels came to each state, and how many were each user's."""

    by_state: Mapping[State, int]
    by_user: Mapping[UserId, int]


class Beats:
    """Does what falls due."""

    def __init__(
        self,
        *,
        beats: BeatStore,
        leases: LeaseStore,
        reinforcement: Reinforcement,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._beats, self._leases, self._reinforcement = beats, leases, reinforcement
        self._clock, self._ids, self._settings = clock, ids, settings
        self._adopted = False

    async def lower_states(self) -> Mapping[State, int] | None:
        """Moves the label of every memory whose next date has passed by one level; how many came to each state.

        None when this tick's beat was taken already: its lease lasts until the next tick. Ticks stand at fixed
        instants, so that one who wakes a little late never misses the next.
        """
        tick = await self.tick()
        return None if tick is None else tick.by_state

    async def tick(self) -> Tick | None:
        """The same, telling also whose labels they were."""
        now, tick = self._clock.now(), self._settings.tick()
        next_tick = _EPOCH + ((now - _EPOCH) // tick + 1) * tick
        if not await self._leases.take(_STATES_JOB, self._ids.new(), at=now, until=next_tick):
            return None
        by_state, by_user = Counter[State](), Counter[UserId]()
        for high, low in FALLS:
            moved = await self._lower(high, low, now)
            by_user.update(moved)
            by_state[low] = sum(moved.values())
        return Tick(by_state=dict(by_state), by_user=dict(by_user))

    async def lower_batch(self, user_id: UserId, high: State, low: State, *, at: datetime) -> int:
        """Moves labels of one user from one state to the next; how many, 0 when none is left."""
        return sum((await self._lower_batch(high, low, at, user_id)).values())

    async def due(self, user_id: UserId, *, at: datetime) -> Mapping[State, int]:
        """How many labels of one user a tick would move, by the state that they would leave."""
        return await self._beats.count_due(user_id, at=at)

    async def stale(self, user_id: UserId) -> int:
        """How many dates of one user follow other settings than the graph's."""
        await self._adopt()
        return await self._beats.count_stale(user_id)

    async def redate_batch(self, user_id: UserId) -> int:
        """Solves some stale dates of one user anew; how many, 0 when none is left."""
        return await self._beats.redate(
            self._reinforcement.redated, limit=self._settings.decay.redate_batch, user_id=user_id
        )

    async def redate(self) -> int:
        """Solves stale dates anew, up to a bound; how many memories, 0 when none is left or another does it."""
        await self._adopt()
        holder, now = self._ids.new(), self._clock.now()
        until = now + timedelta(seconds=self._settings.sleep.lease_seconds)
        if not await self._leases.take(_DATES_JOB, holder, at=now, until=until):
            return 0
        try:
            return await self._redate_most()
        finally:
            await self._leases.give_back(_DATES_JOB, holder)

    async def recompute(self, progress: Callable[[int, int], None] = lambda done, total: None) -> int:
        """Solves every stale date anew, at once, also beside a worker that does the same; how many memories here.

        Args:
            progress: told how many are done of how many.
        """
        await self._adopt()
        done = 0
        while left := await self._beats.count_stale():
            total = done + left
            progress(done, total)
            while batch := await self._redate_batch():
                done += batch
                progress(done, max(done, total))
        progress(done, done)
        return done

    async def _lower(self, high: State, low: State, now: datetime) -> Mapping[UserId, int]:
        total = Counter[UserId]()
        while moved := await self._lower_batch(high, low, now):
            total.update(moved)
        return total

    async def _lower_batch(
        self, high: State, low: State, at: datetime, user_id: UserId | None = None
    ) -> Mapping[UserId, int]:
        def lowered(memory: Memory) -> Transformed:
            change = Change(
                id=self._ids.new(),
                target_id=memory.id,
                at=at,
                action=Action.STATE,
                field="state",
                before=high.value,
                after=low.value,
                reason="beat",
                actor="system",
            )
            return Transformed(replace(memory, state=low), (change,))

        return await self._beats.lower(high, lowered, at=at, limit=_LOWER_BATCH, user_id=user_id)

    async def _adopt(self) -> None:
        """Once a process: an older one with other settings then leaves the dates alone, instead of undoing ours."""
        if not self._adopted:
            await self._beats.adopt()
            self._adopted = True

    async def _redate_most(self) -> int:
        done = 0
        while done < self._settings.decay.redate_most and (batch := await self._redate_batch()):
            done += batch
        return done

    async def _redate_batch(self) -> int:
        return await self._beats.redate(self._reinforcement.redated, limit=self._settings.decay.redate_batch)
