"""Which beats are due when, and how runs begin and end, on doubles in memory."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from graph_memory.domain.sleep import Beat, Count, Run, RunStatus, StepReport
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import LeaseLostError
from graph_memory.ports import Pulse, UserSettings
from graph_memory.services.beats import Beats, Tick
from graph_memory.services.sleep import Sleep
from graph_memory.services.user_book import UserBook
from graph_memory.settings import DecaySettings, Settings
from graph_memory.testing import CountingIds, FixedClock, HeldLeases, ListedRuns

NOON = datetime(2031, 3, 28, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ANN, BOB = UserId("ann"), UserId("bob")


class Zones:
    """Where users live."""

    def __init__(self, **zones: str) -> None:
        self.zones = zones

    async def settings(self, user_id: UserId) -> UserSettings:
        return UserSettings(time_zone=self.zones.get(user_id, "UTC"))


class Noted:
    """A step that takes down for whom and when it was called."""

    name = "noted"

    def __init__(self) -> None:
        self.calls: list[tuple[UserId, datetime]] = []

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        await pulse(StepReport(), done=0, total=1)
        self.calls.append((user_id, at))
        return StepReport(counts={Count.PRUNED: 1})


class World:
    """A scheduler whose users, clock and steps a test holds in its hand."""

    def __init__(self, zones: Zones | None = None, *, settings: Settings | None = None, beats: Any = None) -> None:
        self.clock, self.runs, self.step, self.settings = (
            FixedClock(NOON),
            ListedRuns(),
            Noted(),
            settings or Settings(),
        )
        self.leases = HeldLeases()
        users = cast(Any, zones or Zones())
        self.sleep = Sleep(
            runs=self.runs,
            leases=self.leases,
            beats=cast(Beats, beats),
            steps=dict.fromkeys(Beat, (self.step,)),
            to_link=None,
            user_book=UserBook(users, UserSettings(), refresh_seconds=0.0, most_users=10),
            clock=self.clock,
            ids=CountingIds(),
            settings=self.settings,
        )

    async def hours_of(self, beat: Beat, hours: int) -> list[datetime]:
        """When a beat ran, looked at every quarter of an hour."""
        for _ in range(hours * 4):
            while await self.sleep.run_due(beat):
                pass
            self.clock.advance(HOUR / 4)
        return [at for _, at in self.step.calls]


async def test_a_cycle_comes_at_once_and_then_every_six_hours():
    world = World()
    world.runs.know(ANN, at=NOON)

    ran = await world.hours_of(Beat.CYCLE, 24)

    assert ran == [NOON + hours * HOUR for hours in (0, 6, 12, 18)]


async def test_a_faster_clock_of_the_memory_brings_cycles_sooner():
    world = World(settings=replace(Settings(), decay=replace(DecaySettings(), time_scale=6.0)))
    world.runs.know(ANN, at=NOON)

    ran = await world.hours_of(Beat.CYCLE, 3)

    assert ran == [NOON, NOON + HOUR, NOON + 2 * HOUR]


async def test_a_cycle_that_was_asked_for_puts_the_next_one_off():
    world = World()
    world.runs.know(ANN, at=NOON)

    await world.sleep(ANN, Beat.CYCLE)
    ran = await world.hours_of(Beat.CYCLE, 8)

    assert ran == [NOON, NOON + 6 * HOUR]


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("UTC", [12, 36, 60]),
        ("Asia/Tokyo", [3, 27, 51]),
        ("Europe/Berlin", [11, 35, 58]),  # clocks go forward in the night to 30 March: that day has 23 hours
        ("America/New_York", [16, 40, 64]),
    ],
)
async def test_housekeeping_comes_at_midnight_where_the_user_lives(zone: str, hours: list[int]):
    world = World(Zones(ann=zone))
    world.runs.know(ANN, at=NOON)

    ran = await world.hours_of(Beat.HOUSEKEEPING, 70)

    assert ran == [NOON + each * HOUR for each in hours]


async def test_housekeeping_moves_with_a_user_who_moves():
    zones = Zones(ann="Asia/Tokyo")
    world = World(zones)
    world.runs.know(ANN, at=NOON)

    await world.hours_of(Beat.HOUSEKEEPING, 12)
    zones.zones["ann"] = "America/New_York"
    ran = await world.hours_of(Beat.HOUSEKEEPING, 60)

    assert ran == [NOON + each * HOUR for each in (3, 40, 64)]


async def test_every_user_who_is_due_has_a_run_and_nobody_else():
    world = World()
    world.runs.know(ANN, at=NOON)
    world.runs.know(BOB, at=NOON + HOUR)

    ran = await world.sleep.run_due(Beat.CYCLE)

    assert ran == 1
    assert world.step.calls == [(ANN, NOON)]


async def test_a_look_finds_no_more_users_than_its_bound():
    settings = Settings()
    world = World(settings=replace(settings, sleep=replace(settings.sleep, due_users=2)))
    for number in range(5):
        world.runs.know(UserId(f"user-{number}"), at=NOON - number * HOUR)

    ran = [await world.sleep.run_due(Beat.CYCLE) for _ in range(4)]

    assert ran == [2, 2, 1, 0]
    assert [user for user, _ in world.step.calls] == [f"user-{number}" for number in (4, 3, 2, 1, 0)]


async def test_a_run_that_holds_its_lease_is_not_run_beside():
    world = World()
    world.runs.know(ANN, at=NOON)
    await world.leases.take("sleep cycle ann", "another worker", at=NOON, until=NOON + HOUR)

    ran = await world.sleep.run_due(Beat.CYCLE)
    refused = await world.sleep(ANN, Beat.CYCLE)

    assert (ran, refused.status, world.step.calls) == (0, RunStatus.REFUSED, [])


async def test_the_beat_of_states_reports_with_each_user_it_touched():
    class Moved:
        async def tick(self) -> Tick:
            return Tick(by_state={}, by_user={ANN: 3, BOB: 1})

    world = World(beats=Moved())
    world.runs.know(ANN, at=NOON)
    world.runs.know(BOB, at=NOON)

    reported = await world.sleep.run_due(Beat.STATES)

    assert reported == 2
    [run] = (await world.sleep.runs(ANN, first=None, after=None)).items
    assert (run.beat, run.status, run.report.counts) == (Beat.STATES, RunStatus.DONE, {Count.STATES_CHANGED: 3})


async def test_a_pulse_after_the_worker_was_told_to_stop_ends_the_run():
    world = World()
    world.runs.know(ANN, at=NOON)
    reached: list[str] = []

    class Stopping:
        name = "stopping"

        async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
            closing = asyncio.create_task(world.sleep.close())
            await asyncio.sleep(0)
            with pytest.raises(LeaseLostError):
                await pulse(StepReport(counts={Count.MERGED: 2}), done=1, total=2)
            reached.append("pulse")
            del closing
            raise LeaseLostError("let it pass")

    world.sleep._steps = {Beat.CYCLE: (Stopping(), world.step)}
    run: Run = await world.sleep(ANN, Beat.CYCLE)

    assert (run.status, run.report.counts, reached, world.step.calls) == (
        RunStatus.FAILED,
        {Count.MERGED: 2},
        ["pulse"],
        [],
    )
    assert await world.runs.due(Beat.CYCLE, at=NOON, limit=1) == [(ANN, NOON)]
