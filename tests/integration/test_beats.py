"""Time's beats: labels one level a tick, stored dates solved anew when the settings behind them change."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import State, UserId
from graph_memory.settings import DecaySettings, Settings
from graph_memory.testing import FixedClock, HashingEmbedder
from graph_memory.workers import background_work
from tests.integration.graph import Graph

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
async def timed(settings: Settings, clock: FixedClock, graph: Graph) -> AsyncIterator[Services]:
    """The product with a clock that stands still, and no beat done yet."""
    await graph.run("MATCH (l:Lease {id: 'state labels'}) DELETE l")
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as services:
        yield services


def with_decay(settings: Settings, **numbers: float) -> Settings:
    """Settings with other numbers of fading."""
    return replace(settings, decay=replace(DecaySettings(), **numbers))  # type: ignore[arg-type]  # names are checked


async def remembered(
    services: Services, user: UserId, text: str = "The desk is oak.", *, pinned: bool = False
) -> Memory:
    """A new memory."""
    memory = (await services.remember(user, MemoryDraft(text=text, pinned=pinned))).memory
    assert memory is not None
    return memory


async def label(services: Services, memory: Memory) -> State:
    """The display label as it is stored."""
    return (await services.inspect.memory(memory.user_id, memory.id)).state


async def test_v20_a_year_idle_falls_one_level_a_tick_and_a_use_brings_it_back(
    timed: Services, user: UserId, clock: FixedClock
):
    memory = await remembered(timed, user)
    clock.advance(365 * DAY)
    before = await timed.inspect.memory(user, memory.id)

    labels = []
    for _ in range(4):
        await timed.beats.lower_states()
        labels.append(await label(timed, memory))
        clock.advance(HOUR)
    [used] = await timed.use.touch(user, [memory.id])

    assert (before.state, before.states.state(clock.now())) == (State.CORE, State.ARCHIVE)
    assert labels == [State.DREAM, State.FORGOTTEN, State.ARCHIVE, State.ARCHIVE]
    assert (used.state, used.states.state(clock.now())) == (State.CORE, State.CORE)


async def test_a_beat_writes_one_audit_row_for_each_label(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    memory = await remembered(timed, user)
    clock.advance(365 * DAY)

    await timed.beats.lower_states()

    rows = await graph.run(
        "MATCH (:Memory {id: $id})-[:CHANGED]->(c:Change) WHERE c.action = 'state' RETURN c {.*} AS change",
        id=memory.id,
    )
    [change] = [row["change"] for row in rows]
    assert (change["user_id"], change["target_id"], change["actor"]) == (user, memory.id, "system")
    assert (change["before"], change["after"], change["at"].to_native()) == ('"core"', '"dream"', clock.now())


async def test_a_memory_that_is_not_due_keeps_its_label(timed: Services, user: UserId, clock: FixedClock):
    pinned = await remembered(timed, user, "The lamp is brass.", pinned=True)
    young = await remembered(timed, user)
    clock.set(young.states.dream_at - timedelta(seconds=1))

    await timed.beats.lower_states()

    assert [await label(timed, memory) for memory in (pinned, young)] == [State.CORE, State.CORE]


async def test_a_label_moves_at_the_very_instant_of_its_date(timed: Services, user: UserId, clock: FixedClock):
    memory = await remembered(timed, user)
    clock.set(memory.states.dream_at)

    await timed.beats.lower_states()

    assert await label(timed, memory) is State.DREAM


async def test_workers_that_wake_in_the_same_hour_do_one_beat(
    timed: Services, settings: Settings, user: UserId, clock: FixedClock
):
    memory = await remembered(timed, user)
    clock.advance(365 * DAY)

    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as other:
        done = await asyncio.gather(*(each.beats.lower_states() for each in (timed, other, timed, other)))
    clock.advance(59 * timedelta(minutes=1))
    again = await timed.beats.lower_states()

    assert sum(beat is not None for beat in done) == 1
    assert again is None
    assert await label(timed, memory) is State.DREAM


async def test_the_background_work_beats_and_redates_by_itself(
    timed: Services, settings: Settings, user: UserId, clock: FixedClock
):
    memory = await remembered(timed, user)
    clock.advance(365 * DAY)
    slower = with_decay(settings, half_life_hours=480.0)

    async def done(services: Services) -> bool:
        stats = await services.inspect.stats(user)
        return await label(services, memory) is State.DREAM and not stats.stale_dates

    async with (
        open_services(slower, embedder=HashingEmbedder(), clock=clock) as services,
        background_work(services),
        asyncio.timeout(60),
    ):
        while not await done(services):
            await asyncio.sleep(0.1)
        stored = await services.inspect.memory(user, memory.id)

    assert stored.state is State.DREAM
    assert stored.dates_by == slower.date_fingerprint()


async def test_a_beat_counts_what_came_to_each_state(timed: Services, user: UserId, clock: FixedClock):
    await timed.beats.lower_states()
    memories = [await remembered(timed, user, f"Lamp number {number} is brass.") for number in range(3)]
    clock.advance(8 * DAY)

    counts = await timed.beats.lower_states()

    assert counts is not None
    assert set(counts) == {State.DREAM, State.FORGOTTEN, State.ARCHIVE}
    assert counts[State.DREAM] >= len(memories)


async def test_a_new_memory_follows_the_settings_in_use(timed: Services, user: UserId):
    memory = await remembered(timed, user)

    stored = await timed.inspect.memory(user, memory.id)

    assert stored.dates_by == timed.settings.date_fingerprint()
    assert (await timed.inspect.stats(user)).stale_dates == 0


async def test_other_settings_leave_stale_dates_until_they_are_recomputed(
    timed: Services, settings: Settings, user: UserId, clock: FixedClock
):
    memory = await remembered(timed, user)
    slower = with_decay(settings, half_life_hours=480.0, activation_decay=0.4)

    async with open_services(slower, embedder=HashingEmbedder(), clock=clock) as services:
        before = await services.inspect.stats(user)
        told: list[tuple[int, int]] = []
        done = await services.beats.recompute(lambda *told_so_far: told.append(told_so_far))
        after, redated = await services.inspect.stats(user), await services.inspect.memory(user, memory.id)

    assert (before.stale_dates, after.stale_dates) == (1, 0)
    assert told[-1] == (done, done)
    assert redated.visible_until == slower.strength_curve().visible_until(memory.strength)
    assert redated.activation.decay == pytest.approx(0.4)
    assert redated.states == slower.activation_curve().state_dates(redated.activation)
    assert redated.states.dream_at > memory.states.dream_at


async def test_recomputing_back_gives_every_date_as_it_was(
    timed: Services, settings: Settings, user: UserId, clock: FixedClock
):
    memory = await remembered(timed, user)
    clock.advance(3 * DAY)
    [memory] = await timed.use.touch(user, [memory.id])

    async with open_services(with_decay(settings, time_scale=24.0), embedder=HashingEmbedder(), clock=clock) as fast:
        await fast.beats.recompute()
        hurried = await fast.inspect.memory(user, memory.id)
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as back:
        await back.beats.recompute()

    assert hurried.visible_until < memory.visible_until
    assert await timed.inspect.memory(user, memory.id) == memory


async def test_a_run_is_bounded_and_the_next_one_goes_on(
    timed: Services, settings: Settings, user: UserId, clock: FixedClock
):
    for number in range(5):
        await remembered(timed, user, f"Lamp number {number} is brass.")
    narrow = with_decay(settings, half_life_hours=100.0, redate_batch=2, redate_most=2)

    async with open_services(narrow, embedder=HashingEmbedder(), clock=clock) as services:
        first, left = await services.beats.redate(), (await services.inspect.stats(user)).stale_dates
        while await services.beats.redate():
            pass
        end = await services.inspect.stats(user)

    assert first == 2
    assert left >= 3
    assert end.stale_dates == 0


async def test_two_workers_date_each_memory_once(timed: Services, settings: Settings, user: UserId, clock: FixedClock):
    memories = [await remembered(timed, user, f"Lamp number {number} is brass.") for number in range(6)]
    other = with_decay(settings, half_life_hours=120.0, redate_batch=2)

    async with (
        open_services(other, embedder=HashingEmbedder(), clock=clock) as one,
        open_services(other, embedder=HashingEmbedder(), clock=clock) as two,
    ):
        totals: list[int] = []
        done = await asyncio.gather(
            *(each.beats.recompute(lambda _, total: totals.append(total)) for each in (one, two))
        )
        redated = await one.inspect.memories(user, [memory.id for memory in memories])

    assert sum(done) == max(totals)
    assert {memory.dates_by for memory in redated.values()} == {other.date_fingerprint()}


async def test_an_older_process_leaves_the_dates_to_the_one_started_last(
    timed: Services, settings: Settings, user: UserId, clock: FixedClock
):
    memory = await remembered(timed, user)
    await timed.beats.redate()

    async with open_services(
        with_decay(settings, half_life_hours=120.0), embedder=HashingEmbedder(), clock=clock
    ) as new:
        await new.beats.recompute()
        undone, stored = await timed.beats.redate(), await timed.inspect.memory(user, memory.id)

    assert undone == 0
    assert stored.dates_by == new.settings.date_fingerprint()


async def test_a_change_over_dates_of_other_settings_is_found_by_the_next_recomputation(
    timed: Services, settings: Settings, user: UserId, clock: FixedClock
):
    memory = await remembered(timed, user)
    clock.advance(DAY)
    slower = with_decay(settings, half_life_hours=480.0)

    async with open_services(slower, embedder=HashingEmbedder(), clock=clock) as services:
        await services.use.touch(user, [memory.id])
        mixed, stale = await services.inspect.memory(user, memory.id), (await services.inspect.stats(user)).stale_dates
        await services.beats.recompute()
        redated = await services.inspect.memory(user, memory.id)

    assert (mixed.dates_by, stale) == ("", 1)
    assert replace(mixed, dates_by=slower.date_fingerprint()) == redated


async def test_a_negated_memory_stays_in_the_archive(
    timed: Services, settings: Settings, user: UserId, clock: FixedClock
):
    memory = await remembered(timed, user)
    at = clock.now() + HOUR
    decreed = replace(memory.states, dream_at=at, forgotten_at=at, archive_at=at)

    redated = with_decay(settings, half_life_hours=480.0).reinforcement().redated(replace(memory, states=decreed))

    assert redated.states == decreed
    assert redated.visible_until > memory.visible_until


async def test_what_is_nearly_hidden_is_counted_as_fading_soon(timed: Services, user: UserId, clock: FixedClock):
    memory = await remembered(timed, user)
    await remembered(timed, user, "The lamp is brass.", pinned=True)
    curve, soon = timed.settings.strength_curve(), timed.settings.decay.hidden_soon
    half_life = curve.half_life_hours * (memory.strength.base_strength / soon - 1.0)
    fades_at = memory.strength.anchor_at + timedelta(hours=half_life)

    counted = []
    for instant in (fades_at - HOUR, fades_at, memory.visible_until - HOUR, memory.visible_until):
        clock.set(instant)
        stats = await timed.inspect.stats(user)
        counted.append((stats.fading_soon, stats.hidden))

    assert counted == [(0, 0), (1, 0), (1, 0), (0, 1)]


async def test_erased_users_leave_no_work_behind(timed: Services, settings: Settings, user: UserId, clock: FixedClock):
    await remembered(timed, user)
    await timed.amend.erase_everything(user, confirm=user)
    clock.advance(365 * DAY)

    await timed.beats.lower_states()

    assert (await timed.inspect.stats(user)).memories == 0
