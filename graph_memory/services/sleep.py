"""Sleep: runs the beats, for one user who asks or for all who are due, each run under a lease and with a report.

One job of a kind per user at a time. A run holds a lease and renews it while it works; a worker that lost it (it hung,
or was cut off) writes nothing more. A worker that died holds it until it ends: then the next run takes over and tells
the dead one as failed. Steps start from the graph alone and repeat nothing, so taking over needs no more than that
(constants.md 2.7, operations.md Bounds of sleep).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from graph_memory.domain.dates import in_utc
from graph_memory.domain.local_midnight import is_midnight, next_midnight
from graph_memory.domain.sleep import Beat, Count, Run, RunStatus, StepReport, bounded
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import GraphMemoryError, InvalidValueError, LeaseLostError, NotFoundError, Problem
from graph_memory.ports import Clock, DueUsers, Ids, LeaseStore, RunStore, SleepStep
from graph_memory.services.beats import Beats
from graph_memory.services.inspect import is_askable
from graph_memory.services.paging import Page, Paging
from graph_memory.services.user_book import UserBook
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings, SleepSettings

T = TypeVar("T")

_log = logging.getLogger(__name__)
_STOPPED = "it was told to stop before the end; the next run goes on where it stopped"
_NOBODY = "nothing is stored of this user"
_RENEWALS = 3  # in the time that a lease lasts


class Sleep:
    """Runs beats."""

    def __init__(
        self,
        *,
        runs: RunStore,
        leases: LeaseStore,
        beats: Beats,
        steps: Mapping[Beat, Sequence[SleepStep]],
        to_link: DueUsers | None,
        user_book: UserBook,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._runs, self._beats, self._steps = runs, beats, steps
        self._to_link, self._user_book = to_link, user_book
        self._clock, self._ids, self._settings = clock, ids, settings
        self._stopping = asyncio.Event()
        self._watch = _Watch(runs, leases, clock, settings.sleep, self._stopping)
        self._under_way: set[asyncio.Task[Any]] = set()

    async def __call__(
        self,
        user_id: UserId,
        beat: Beat,
        *,
        dry_run: bool = False,
        at: datetime | None = None,
        wait: bool = True,
    ) -> Run:
        """Runs a beat for one user; its report.

        Refused, with zero counts, while another run of the same beat and user is under way.

        Args:
            dry_run: whether to tell what would be done and change nothing.
            at: the instant to work for; now by default.
            wait: whether to come back when it has ended, or as soon as it has begun.

        Raises: InvalidValueError for an instant ahead of the clock outside trials (`decay.allow_future`).
        """
        run = self._new(user_id, beat, at=await self._instant(user_id, at), dry_run=dry_run)
        begun = await self._tracked(self._begin(run))
        if begun.status is not RunStatus.RUNNING:
            return begun
        working = self._task(self._work(begun, asked=True))
        return await asyncio.shield(working) if wait else begun

    async def run_due(self, beat: Beat) -> int:
        """Runs a beat for users who are due, up to a bound; for how many it ran here."""
        if beat is Beat.STATES:
            return await self._tick()
        now, limit = self._clock.now(), self._settings.sleep.due_users
        due: list[tuple[UserId, datetime | None]]
        if beat is Beat.LINK:
            due = [(user_id, None) for user_id in await self._to_link(at=now, limit=limit)] if self._to_link else []
        else:
            found = await self._runs.due(beat, at=now, limit=limit)
            due = [(user_id, since) for user_id, since in found if await self._is_time(user_id, beat, since, now)]
        places = asyncio.Semaphore(self._settings.sleep.users_at_once)

        async def run_one(user_id: UserId, since: datetime | None) -> bool:
            async with places:
                return not self._stopping.is_set() and await self._tracked(self._run_timed(user_id, beat, since))

        return sum(await asyncio.gather(*(run_one(user_id, since) for user_id, since in due)))

    async def runs(self, user_id: UserId, *, first: int | None, after: str | None) -> Page[Run]:
        """One page of a user's runs, the latest first."""
        now = self._clock.now()
        page = await Paging(user_id, "runs", self._settings.pages).forward_page(
            first, after, lambda start, limit: self._runs.find(user_id, after=start, limit=limit)
        )
        return replace(page, items=tuple(run.seen(now) for run in page.items))

    async def find(self, user_id: UserId, run_id: str) -> Run | None:
        """One run, or None when this user has none of that id."""
        run = await self._runs.get(user_id, run_id) if is_askable(run_id) else None
        return run and run.seen(self._clock.now())

    async def get(self, user_id: UserId, run_id: str) -> Run:
        """One run. Raises NotFoundError."""
        run = await self.find(user_id, run_id)
        if run is None:
            raise NotFoundError("run", run_id)
        return run

    async def follow(self, user_id: UserId, run_id: str | None = None) -> AsyncIterator[Run]:
        """Each new standing of one run until it has ended, or of all runs of a user from now on.

        Raises: NotFoundError when there is no such run.
        """
        told: dict[str, Run] = {}
        if run_id is None:
            told = {run.id: run for run in await self._latest(user_id)}
            for run in told.values():
                if run.status is RunStatus.RUNNING:
                    yield run
        while True:
            runs = await self._latest(user_id) if run_id is None else [await self.get(user_id, run_id)]
            for run in runs:
                if told.get(run.id) != run:
                    yield run
            if run_id is not None and runs[0].status is not RunStatus.RUNNING:
                return
            told = {run.id: run for run in runs}
            await asyncio.sleep(self._settings.sleep.follow_seconds)

    async def close(self) -> None:
        """Lets every run under way end at its next pulse, then breaks off what did not."""
        self._stopping.set()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=self._settings.sleep.stop_seconds)
        for each in self._under_way:
            each.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _latest(self, user_id: UserId) -> list[Run]:
        """A user's latest runs, the earliest of them first."""
        now = self._clock.now()
        rows = await self._runs.find(user_id, after=None, limit=self._settings.sleep.follow_runs)
        return [row.value.seen(now) for row in reversed(rows)]

    async def _instant(self, user_id: UserId, at: datetime | None) -> datetime:
        now = self._clock.now()
        if at is None:
            return now
        at = in_utc(at, zone=zone_of((await self._user_book.of(user_id)).time_zone))
        if at > now and not self._settings.decay.allow_future:
            raise InvalidValueError("sleep", [Problem("at", f"is {at.isoformat()}, which is ahead of the clock")])
        return at

    def _new(self, user_id: UserId, beat: Beat, *, at: datetime, dry_run: bool = False) -> Run:
        now = self._clock.now()
        return Run(
            id=self._ids.new(),
            user_id=user_id,
            beat=beat,
            status=RunStatus.RUNNING,
            at=at,
            started_at=now,
            alive_until=now + self._watch.lease,
            dry_run=dry_run,
        )

    async def _is_time(self, user_id: UserId, beat: Beat, due_at: datetime, now: datetime) -> bool:
        """Whether a beat that fell due may run; housekeeping waits for midnight where the user lives by now."""
        if beat is not Beat.HOUSEKEEPING:
            return True
        zone = zone_of((await self._user_book.of(user_id)).time_zone)
        if is_midnight(due_at, zone):
            return True
        await self._runs.schedule(user_id, beat, next_midnight(now, zone))
        return False

    async def _tick(self) -> int:
        """The beat of states for all users at once; a report for each whose labels moved."""
        tick = await self._beats.tick()
        if tick is None:
            return 0
        runs = [self._new(user_id, Beat.STATES, at=self._clock.now()) for user_id in tick.by_user]
        ended = [
            replace(
                run,
                status=RunStatus.DONE,
                progress=1.0,
                finished_at=run.started_at,
                report=StepReport(counts={Count.STATES_CHANGED: tick.by_user[run.user_id]}),
            )
            for run in runs
        ]
        await self._runs.add(ended)
        return len(ended)

    async def _run_timed(self, user_id: UserId, beat: Beat, since: datetime | None) -> bool:
        run = self._new(user_id, beat, at=self._clock.now())
        if not await self._watch.take(run):
            return False
        if since and await self._was_run(user_id, beat, since):  # by another worker, since this one looked
            await self._watch.give_back(run)
            return False
        if (await self._begin_leased(run)).status is not RunStatus.RUNNING:
            return False
        await self._work(run, asked=False)
        return True

    async def _was_run(self, user_id: UserId, beat: Beat, since: datetime) -> bool:
        """Whether a beat that fell due at an instant has been run."""
        done = (RunStatus.DONE, RunStatus.FAILED)
        return any(
            run.beat is beat and run.status in done and not run.dry_run and run.started_at >= since
            for run in await self._latest(user_id)
        )

    async def _begin(self, run: Run) -> Run:
        """The run as it then stands: running, refused, or done since there is nothing to work on."""
        if await self._watch.take(run):
            return await self._begin_leased(run)
        refused = replace(run, status=RunStatus.REFUSED, finished_at=run.started_at)
        await self._runs.add([refused])
        return refused

    async def _begin_leased(self, run: Run) -> Run:
        known = False
        try:
            known = await self._runs.begin(run)
        finally:
            if not known:
                await self._watch.give_back(run)
        if known:
            return run
        nothing = StepReport(notes=(_NOBODY,))
        return replace(run, status=RunStatus.DONE, progress=1.0, finished_at=run.started_at, report=nothing)

    async def _tracked(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work gives; it goes on to its end, or to `close`, also when the caller leaves."""
        return await asyncio.shield(self._task(work))

    def _task(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _work(self, run: Run, *, asked: bool) -> Run:
        """All steps of a run that has begun; its report."""
        going = _Going(run, self._steps.get(run.beat, ()), self._watch)
        try:
            async with going.kept_alive():
                await going.do_steps()
        except _TakenOverError:  # whoever holds the lease now has told this run as failed, or its user is gone
            await self._watch.give_back(run)
            return replace(going.run, status=RunStatus.FAILED, finished_at=self._clock.now())
        except LeaseLostError:
            return await self._break_off(going.run)
        except asyncio.CancelledError:
            await asyncio.shield(self._break_off(going.run))
            raise
        return await self._end(going, asked=asked)

    async def _end(self, going: "_Going", *, asked: bool) -> Run:
        now = self._clock.now()
        status = RunStatus.FAILED if going.failures else RunStatus.DONE
        run = replace(going.run, status=status, finished_at=now, progress=1.0)
        if run.beat is Beat.LINK and run.did_nothing and not asked:
            await self._runs.drop(run.user_id, run.id)
        else:
            await self._runs.end(run, due_at=None if run.dry_run else await self._next_due(run, now))
        await self._watch.give_back(run)
        return run

    async def _break_off(self, run: Run) -> Run:
        """Ends a run before its end, so that whoever comes next goes on at once."""
        now = self._clock.now()
        report = run.report.plus(StepReport(notes=(_STOPPED,)))
        run = replace(run, status=RunStatus.FAILED, finished_at=now, report=report)
        with suppress(GraphMemoryError):  # the store may be gone; then its lease ends in time
            await self._runs.end(run, due_at=None if run.dry_run else now)
            await self._watch.give_back(run)
        return run

    async def _next_due(self, run: Run, now: datetime) -> datetime | None:
        if run.beat is Beat.CYCLE:
            return now + timedelta(hours=self._settings.sleep.cycle_hours) / self._settings.decay.time_scale
        if run.beat is Beat.HOUSEKEEPING:
            return next_midnight(now, zone_of((await self._user_book.of(run.user_id)).time_zone))
        return None


class _TakenOverError(LeaseLostError):
    """Another worker holds the lease by now."""


class _Watch:
    """Leases and reports of runs under way."""

    def __init__(
        self, runs: RunStore, leases: LeaseStore, clock: Clock, settings: SleepSettings, stopping: asyncio.Event
    ) -> None:
        self.runs, self.clock, self.settings, self.stopping = runs, clock, settings, stopping
        self._leases = leases
        self.lease = timedelta(seconds=settings.lease_seconds)

    async def take(self, run: Run) -> bool:
        """Whether a run has its lease, taken or renewed, until so long after now."""
        now = self.clock.now()
        return await self._leases.take(_job(run), run.id, at=now, until=now + self.lease)

    async def give_back(self, run: Run) -> None:
        """Lets the next one have it."""
        await self._leases.give_back(_job(run), run.id)


class _Going:
    """A run under way: its steps one after the other, its pulse, its lease."""

    def __init__(self, run: Run, steps: Sequence[SleepStep], watch: _Watch) -> None:
        self.run, self.failures = run, 0
        self._steps, self._watch = steps, watch
        self._step = 0
        self._behind = StepReport()  # what the steps before this one did
        self._so_far = StepReport()  # what this one said at its last pulse
        self._taken_over = False
        self._renewed_at = run.started_at
        self._told_at = asyncio.get_running_loop().time()

    async def do_steps(self) -> None:
        """Every step, the failing ones noted. Raises LeaseLostError."""
        for number, step in enumerate(self._steps):
            self._step = number
            self._so_far = StepReport()
            await self._check()
            try:
                report = await step(self.run.user_id, at=self.run.at, dry_run=self.run.dry_run, pulse=self._pulse)
            except LeaseLostError:
                raise
            except Exception as error:  # whatever is wrong with one step, the others go on
                self.failures += 1
                report = self._so_far.plus(StepReport(notes=(_failure(step, error),)))
            self._stand(report, share=1.0)
            self._behind = self._with(report)

    @asynccontextmanager
    async def kept_alive(self) -> AsyncIterator[None]:
        """Renews the lease while the block runs, also during a piece that takes long."""
        renewing = asyncio.create_task(self._renew_forever())
        try:
            yield
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)

    async def _pulse(self, so_far: StepReport, *, done: int, total: int) -> None:
        self._so_far = so_far
        self._stand(so_far, share=done / total if total else 0.0)
        await self._check()
        now = asyncio.get_running_loop().time()
        if now - self._told_at >= self._watch.settings.tell_seconds:
            self._told_at = now
            self._taken_over = not await self._watch.runs.tell(self.run)
            await self._check()

    async def _check(self) -> None:
        """Raises LeaseLostError unless this worker may go on."""
        if self._watch.clock.now() - self._renewed_at >= self._watch.lease / _RENEWALS:
            await self._renew()
        if self._taken_over:
            _log.warning("a %s of sleep stops: another worker has taken it over", self.run.beat)
            raise _TakenOverError("another worker has taken over")
        if self._watch.stopping.is_set():
            raise LeaseLostError("the worker was told to stop")

    async def _renew(self) -> None:
        now = self._watch.clock.now()
        self.run = replace(self.run, alive_until=now + self._watch.lease)
        if await self._watch.take(self.run) and await self._watch.runs.tell(self.run):
            self._renewed_at = now
        else:
            self._taken_over = True

    async def _renew_forever(self) -> None:
        while not self._taken_over:
            await asyncio.sleep(self._watch.settings.lease_seconds / _RENEWALS)
            with suppress(GraphMemoryError):  # tried again; if the lease ends meanwhile, the next check knows
                await self._renew()

    def _stand(self, report: StepReport, *, share: float) -> None:
        """How the run stands with this report of its present step."""
        settings = self._watch.settings
        told = bounded(
            self._with(report),
            most_planned=settings.plan_most,
            most_characters=settings.plan_characters,
            most_notes=settings.notes_most,
        )
        self.run = replace(self.run, report=told, progress=(self._step + min(1.0, share)) / len(self._steps))

    def _with(self, report: StepReport) -> StepReport:
        name = self._steps[self._step].name
        notes = tuple(f"{name}: {note}" for note in report.notes)
        plan = tuple(replace(each, detail={"step": name, **each.detail}) for each in report.plan)
        return self._behind.plus(replace(report, notes=notes, plan=plan))


def _failure(step: SleepStep, error: Exception) -> str:
    """What a report says of a step that failed; a fault of ours goes into the log, not to the reader."""
    if isinstance(error, GraphMemoryError):
        _log.warning("the step %s of sleep failed: %s", step.name, error)
        return f"it failed: {error}"
    _log.error("the step %s of sleep failed", step.name, exc_info=error)
    return f"it failed inside ({type(error).__name__}); it has been logged"


def _job(run: Run) -> str:
    return f"sleep {run.beat.value} {run.user_id}"
