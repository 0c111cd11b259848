"""Runs of sleep: one of a kind per user, under a lease, with a report that tells the truth."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from graph_memory.bootstrap import Services
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.sleep import LOST_WORKER, Beat, Count, Planned, Run, RunStatus, StepReport
from graph_memory.domain.vocabulary import MemoryId, State, UserId
from graph_memory.errors import InvalidValueError, NotFoundError, StoreError
from graph_memory.ports import DueUsers, Pulse, SleepStep, UserSettings
from graph_memory.runtime import TimeOrderedIds
from graph_memory.services.recall import Question
from graph_memory.services.sleep import Sleep
from graph_memory.services.user_book import UserBook
from graph_memory.settings import Settings, SleepSettings
from graph_memory.stores.leases import Neo4jLeaseStore
from graph_memory.stores.runs import Neo4jRunStore
from graph_memory.stores.users import Neo4jUserStore
from graph_memory.testing import FixedClock
from tests.integration.graph import Graph

ROOT = Path(__file__).parent.parent.parent
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LEASE = timedelta(seconds=SleepSettings().lease_seconds)


@dataclass
class Step:
    """A step of pieces, each counted as one merge; a test may hold it up, or spoil it, between two pieces."""

    name: str = "merge"
    pieces: int = 3
    between: Callable[[int], Awaitable[None]] | None = None
    wrote: list[int] = field(default_factory=list)
    calls: list[tuple[datetime, bool]] = field(default_factory=list)

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        self.calls.append((at, dry_run))
        report = StepReport()
        for piece in range(self.pieces):
            await pulse(report, done=piece, total=self.pieces)
            if self.between:
                await self.between(piece)
            if not dry_run:
                self.wrote.append(piece)
            plan = (Planned(action="merge", memory_ids=(MemoryId(f"m-{piece}"),)),) if dry_run else ()
            report = report.plus(StepReport(counts={Count.MERGED: 1}, plan=plan))
        return report


@pytest.fixture
async def known(timed: Services, user: UserId) -> UserId:
    """A user of whom something is stored."""
    await timed.remember(user, MemoryDraft(text="The desk is oak."))
    return user


def sleep_of(
    services: Services, *steps: SleepStep, beat: Beat = Beat.CYCLE, to_link: DueUsers | None = None, **numbers: float
) -> Sleep:
    """The scheduler with steps of a test's own."""
    settings = services.settings
    settings = replace(settings, sleep=replace(settings.sleep, tell_seconds=0.0, **numbers))
    users = Neo4jUserStore(
        services.connection, curve=settings.strength_curve(), hidden_soon=0.15, dates_by=settings.date_fingerprint()
    )
    return Sleep(
        runs=Neo4jRunStore(services.connection),
        leases=Neo4jLeaseStore(services.connection),
        beats=services.beats,
        steps={beat: steps},
        to_link=to_link,
        user_book=UserBook(users, UserSettings(), refresh_seconds=0.0, most_users=10),
        clock=services.clock,
        ids=TimeOrderedIds(),
        settings=settings,
    )


async def listed(sleep: Sleep, user: UserId) -> list[Run]:
    return list((await sleep.runs(user, first=20, after=None)).items)


async def only_due(graph: Graph, *users: UserId) -> None:
    """Nobody else is due: what other tests left behind waits for ever."""
    await graph.run(
        "MATCH (u:User) WHERE NOT u.user_id IN $users SET u.cycle_due_at = $never, u.housekeeping_due_at = $never",
        users=list(users),
        never=FAR_FUTURE,
    )


async def due(graph: Graph, user: UserId, beat: str = "cycle") -> datetime:
    at = await graph.value(f"MATCH (u:User {{user_id: $user}}) RETURN u.{beat}_due_at", user=user)
    return at.to_native()


async def test_a_run_does_its_steps_in_order_and_reports_them(timed: Services, known: UserId, clock: FixedClock):
    first, second = Step(name="promote", pieces=2), Step(name="merge")
    sleep = sleep_of(timed, first, second)

    run = await sleep(known, Beat.CYCLE)

    assert (run.status, run.progress, run.dry_run) == (RunStatus.DONE, 1.0, False)
    assert (run.started_at, run.finished_at, run.at) == (clock.now(), clock.now(), clock.now())
    assert run.report.counts == {Count.MERGED: 5}
    assert (first.wrote, second.wrote) == ([0, 1], [0, 1, 2])
    assert await listed(sleep, known) == [run]
    assert await sleep.get(known, run.id) == run


async def test_a_run_is_refused_while_another_of_its_kind_is_under_way(timed: Services, known: UserId):
    going, gate = asyncio.Event(), asyncio.Event()

    async def hold(piece: int) -> None:
        going.set()
        await gate.wait()

    sleep, other = sleep_of(timed, Step(between=hold)), sleep_of(timed, Step(), Step())
    first = asyncio.create_task(sleep(known, Beat.CYCLE))
    await going.wait()

    refused = await other(known, Beat.CYCLE)
    elsewhere = await other(known, Beat.LINK)
    gate.set()
    done = await first

    assert (refused.status, dict(refused.report.counts)) == (RunStatus.REFUSED, {})
    assert elsewhere.status is RunStatus.DONE
    assert done.status is RunStatus.DONE
    assert {run.status for run in await listed(sleep, known)} == {RunStatus.DONE, RunStatus.REFUSED}


async def test_a_run_need_not_be_waited_for(timed: Services, known: UserId):
    gate = asyncio.Event()

    async def hold(piece: int) -> None:
        await gate.wait()

    sleep = sleep_of(timed, Step(between=hold))

    begun = await sleep(known, Beat.CYCLE, wait=False)
    gate.set()
    standings = [run async for run in sleep.follow(known, begun.id)]

    assert begun.status is RunStatus.RUNNING
    assert (standings[-1].status, standings[-1].report.counts) == (RunStatus.DONE, {Count.MERGED: 3})
    assert [run.progress for run in standings] == sorted(run.progress for run in standings)


async def test_a_caller_who_leaves_does_not_break_a_run_off(timed: Services, known: UserId):
    going, gate = asyncio.Event(), asyncio.Event()

    async def hold(piece: int) -> None:
        going.set()
        await gate.wait()

    sleep = sleep_of(timed, Step(between=hold))
    asked = asyncio.create_task(sleep(known, Beat.CYCLE))
    await going.wait()

    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    gate.set()
    [run] = await listed(sleep, known)
    done = [each async for each in sleep.follow(known, run.id)][-1]

    assert done.status is RunStatus.DONE


async def test_a_dead_run_is_told_as_failed_and_taken_over_when_its_lease_ends(
    timed: Services, known: UserId, clock: FixedClock
):
    hung = asyncio.Event()

    async def hang(piece: int) -> None:
        if piece == 1:
            hung.set()
            await asyncio.Event().wait()

    dead, alive = sleep_of(timed, Step(between=hang), stop_seconds=0.0), sleep_of(timed, Step())
    lost = asyncio.create_task(dead(known, Beat.CYCLE))
    await hung.wait()

    clock.advance(LEASE - timedelta(seconds=1))
    too_early, [standing] = await alive(known, Beat.CYCLE), (await listed(alive, known))[-1:]
    clock.advance(timedelta(seconds=1))
    told = (await listed(alive, known))[-1]
    taken_over = await alive(known, Beat.CYCLE)
    stored = (await listed(alive, known))[-1]
    lost.cancel()
    await dead.close()

    assert (too_early.status, standing.status) == (RunStatus.REFUSED, RunStatus.RUNNING)
    assert (told.status, told.report.notes) == (RunStatus.FAILED, (LOST_WORKER,))
    assert taken_over.status is RunStatus.DONE
    assert (stored.status, stored.report.counts, stored.report.notes) == (
        RunStatus.FAILED,
        {Count.MERGED: 1},
        (LOST_WORKER,),
    )


async def test_a_worker_that_lost_its_lease_writes_nothing_more(timed: Services, known: UserId, clock: FixedClock):
    others: list[Run] = []
    alive = sleep_of(timed, Step())

    async def suspended(piece: int) -> None:
        if piece == 1:
            clock.advance(LEASE)
            others.append(await alive(known, Beat.CYCLE))

    step = Step(between=suspended)

    run = await sleep_of(timed, step)(known, Beat.CYCLE)

    assert others[0].status is RunStatus.DONE
    assert run.status is RunStatus.FAILED
    assert step.wrote == [0, 1]  # the piece in hand when it woke; the next pulse stopped it
    assert {each.status for each in await listed(alive, known)} == {RunStatus.DONE, RunStatus.FAILED}


async def test_a_long_run_keeps_its_lease(timed: Services, known: UserId, clock: FixedClock):
    refused: list[Run] = []
    other = sleep_of(timed, Step())

    async def slow(piece: int) -> None:
        clock.advance(LEASE * 0.9)
        if piece == 2:
            refused.append(await other(known, Beat.CYCLE))

    run = await sleep_of(timed, Step(pieces=5, between=slow))(known, Beat.CYCLE)

    assert [each.status for each in refused] == [RunStatus.REFUSED]
    assert (run.status, run.report.counts) == (RunStatus.DONE, {Count.MERGED: 5})


async def test_a_failing_step_is_noted_and_the_others_go_on(timed: Services, known: UserId):
    async def fail(piece: int) -> None:
        if piece == 2:
            raise StoreError("the server could not take the work now")

    async def break_inside(piece: int) -> None:
        raise KeyError("secret")

    steps = Step(name="merge", between=fail), Step(name="audit", between=break_inside), Step(name="snapshot", pieces=1)

    run = await sleep_of(timed, *steps)(known, Beat.CYCLE)

    assert run.status is RunStatus.FAILED
    assert run.report.counts == {Count.MERGED: 3}
    assert run.report.notes == (
        "merge: it failed: the server could not take the work now",
        "audit: it failed inside (KeyError); it has been logged",
    )
    assert steps[2].wrote == [0]


async def test_a_dry_run_tells_its_plan_and_changes_nothing_but_its_own_report(
    timed: Services, known: UserId, graph: Graph
):
    sleep = sleep_of(timed, Step(pieces=300))
    before = await graph.dump(known)

    run = await sleep(known, Beat.CYCLE, dry_run=True)
    after = await graph.dump(known)

    assert (run.dry_run, run.report.counts, len(run.report.plan)) == (True, {Count.MERGED: 300}, 200)
    assert run.report.plan[0].document() == {"action": "merge", "memories": ["m-0"], "text": None, "step": "merge"}
    assert run.report.notes == ("the plan has 100 more entries than are shown",)
    assert await sleep.get(known, run.id) == run
    assert [node for node in after.nodes if "'Run'" not in node.split("]")[0]] == list(before.nodes)
    assert after.links == before.links


async def test_every_beat_can_be_run_dry_without_a_trace(timed: Services, known: UserId, graph: Graph):
    timed.clock.advance(200 * DAY)  # type: ignore[attr-defined]  # the clock of the test
    before = await graph.dump(known)

    runs = [await timed.sleep(known, beat, dry_run=True) for beat in Beat]
    after = await graph.dump(known)

    assert {run.status for run in runs} == {RunStatus.DONE}
    assert runs[1].report.counts[Count.STATES_CHANGED] == 1
    assert [node for node in after.nodes if "'Run'" not in node.split("]")[0]] == list(before.nodes)
    assert after.links == before.links


async def test_the_instant_of_a_run_is_given_to_its_steps_and_may_not_lie_ahead(
    timed: Services, known: UserId, clock: FixedClock
):
    step = Step()
    sleep = sleep_of(timed, step)

    run = await sleep(known, Beat.CYCLE, at=clock.now() - DAY, dry_run=True)
    with pytest.raises(InvalidValueError) as caught:
        await sleep(known, Beat.CYCLE, at=clock.now() + HOUR)

    assert step.calls == [(clock.now() - DAY, True)]
    assert (run.at, run.started_at) == (clock.now() - DAY, clock.now())
    assert [problem.field for problem in caught.value.problems] == ["at"]
    assert len(await listed(sleep, known)) == 1


async def test_nothing_is_stored_of_a_user_whom_nobody_knows(timed: Services, user: UserId, graph: Graph):
    step = Step()

    run = await sleep_of(timed, step)(user, Beat.CYCLE)

    assert (run.status, step.calls) == (RunStatus.DONE, [])
    assert (await graph.dump(user)).nodes == ()
    assert await graph.run("MATCH (l:Lease) WHERE l.id ENDS WITH $user RETURN l", user=user) == []


async def test_a_worker_that_is_told_to_stop_ends_between_two_pieces_and_the_next_goes_on_at_once(
    timed: Services, known: UserId, clock: FixedClock, graph: Graph
):
    going = asyncio.Event()

    async def slow(piece: int) -> None:
        going.set()
        await asyncio.sleep(0.05)

    step = Step(pieces=1_000, between=slow)
    sleep, other = sleep_of(timed, step), sleep_of(timed, Step())
    asked = asyncio.create_task(sleep(known, Beat.CYCLE))
    await going.wait()

    await sleep.close()
    stopped = await asked
    due_at = await due(graph, known)
    next_run = await other(known, Beat.CYCLE)

    assert stopped.status is RunStatus.FAILED
    assert stopped.report.counts == {Count.MERGED: len(step.wrote)}
    assert "told to stop" in stopped.report.notes[-1]
    assert due_at == clock.now()
    assert next_run.status is RunStatus.DONE


async def test_a_cycle_is_due_at_once_then_every_six_hours_and_a_dry_one_changes_that_not(
    timed: Services, known: UserId, clock: FixedClock, graph: Graph
):
    sleep = sleep_of(timed, Step())
    at_first = await due(graph, known)

    await sleep(known, Beat.CYCLE, dry_run=True)
    after_dry = await due(graph, known)
    await sleep(known, Beat.CYCLE)

    assert at_first == after_dry == clock.now()
    assert await due(graph, known) == clock.now() + 6 * HOUR


async def due_cycles(sleep: Sleep, users: set[UserId]) -> set[UserId]:
    """Runs all that is due, and says for whom of these a run was stored."""
    while await sleep.run_due(Beat.CYCLE):
        pass
    return {user for user in users if await listed(sleep, user)}


async def test_two_workers_do_each_cycle_that_is_due_once(timed: Services, clock: FixedClock, graph: Graph):
    users = [UserId(f"crowd-{uuid4().hex[:12]}") for _ in range(8)]
    for user in users:
        await timed.remember(user, MemoryDraft(text="The desk is oak."))
    await only_due(graph, *users)
    one, two = sleep_of(timed, Step(), users_at_once=4), sleep_of(timed, Step(), users_at_once=4)

    await asyncio.gather(due_cycles(one, set(users)), due_cycles(two, set(users)))
    runs = [await listed(one, user) for user in users]
    clock.advance(6 * HOUR - timedelta(seconds=1))
    again = await due_cycles(one, set())

    assert [[run.status for run in each] for each in runs] == [[RunStatus.DONE]] * len(users)
    assert again == set()
    assert [len(await listed(one, user)) for user in users] == [1] * len(users)


async def test_a_cycle_whose_worker_died_falls_due_when_its_lease_ends(
    timed: Services, known: UserId, clock: FixedClock, graph: Graph
):
    hung = asyncio.Event()

    async def hang(piece: int) -> None:
        hung.set()
        await asyncio.Event().wait()

    dead = sleep_of(timed, Step(between=hang), stop_seconds=0.0)
    lost = asyncio.create_task(dead(known, Beat.CYCLE))
    await hung.wait()

    due_at = await due(graph, known)
    lost.cancel()
    await dead.close()

    assert due_at == clock.now() + LEASE


async def test_a_look_for_links_that_finds_nothing_leaves_no_report(timed: Services, known: UserId):
    async def only_this_one(*, at: datetime, limit: int) -> list[UserId]:
        return [known]

    idle = sleep_of(timed, Step(pieces=0), beat=Beat.LINK, to_link=only_this_one)
    busy = sleep_of(timed, Step(pieces=1), beat=Beat.LINK, to_link=only_this_one)

    ran = await idle.run_due(Beat.LINK), await busy.run_due(Beat.LINK)

    assert ran == (1, 1)
    assert [run.report.counts for run in await listed(idle, known)] == [{Count.MERGED: 1}]


async def test_housekeeping_waits_for_midnight_where_the_user_lives(
    timed: Services, known: UserId, clock: FixedClock, graph: Graph
):
    await timed.change_settings(known, time_zone="Asia/Tokyo")
    await only_due(graph, known)
    sleep = sleep_of(timed, Step(), beat=Beat.HOUSEKEEPING)

    async def reports() -> int:
        while await sleep.run_due(Beat.HOUSEKEEPING):
            pass
        return len(await listed(sleep, known))

    at_noon, planned = await reports(), await due(graph, known, "housekeeping")
    clock.set(datetime(2031, 5, 1, 15, tzinfo=UTC))  # midnight in Tokyo
    at_midnight = await reports()
    await timed.change_settings(known, time_zone="Europe/Lisbon")
    clock.advance(DAY)  # midnight in Tokyo again, four in the afternoon in Lisbon
    after_moving, moved = await reports(), await due(graph, known, "housekeeping")
    clock.set(datetime(2031, 5, 2, 23, tzinfo=UTC))

    assert (at_noon, planned) == (0, datetime(2031, 5, 1, 15, tzinfo=UTC))
    assert at_midnight == 1
    assert (after_moving, moved) == (1, datetime(2031, 5, 2, 23, tzinfo=UTC))
    assert await reports() == 2


async def test_housekeeping_drops_old_receipts_and_reports_and_takes_down_what_there_is(
    timed: Services, known: UserId, clock: FixedClock
):
    answer = await timed.recall(known, Question(query="Which desk?"))
    await timed.aftermath.settled()
    old = await timed.sleep(known, Beat.CYCLE)
    clock.advance(91 * DAY)

    run = await timed.sleep(known, Beat.HOUSEKEEPING)
    again = await timed.sleep(known, Beat.HOUSEKEEPING)

    assert await timed.receipts.get(known, answer.receipt_id) is None
    assert await timed.sleep.find(known, old.id) is None
    assert {"receipts: 1 receipts dropped", "runs: 1 reports of runs dropped"} <= set(run.report.notes)
    assert run.report.statistics["memories"] == 1
    assert again.report.notes == ()


async def test_a_user_may_ask_for_the_beat_of_states(timed: Services, known: UserId, clock: FixedClock):
    clock.advance(365 * DAY)

    runs = [await timed.sleep(known, Beat.STATES) for _ in range(4)]

    assert [run.report.counts.get(Count.STATES_CHANGED, 0) for run in runs] == [1, 1, 1, 0]
    assert (await timed.inspect.stats(known)).by_state == {State.ARCHIVE: 1}


async def test_the_beat_of_all_states_leaves_a_report_with_each_user_whose_labels_moved(
    timed: Services, known: UserId, other_user: UserId, clock: FixedClock, graph: Graph
):
    await graph.run("MATCH (l:Lease {id: 'state labels'}) DELETE l")
    await timed.remember(other_user, MemoryDraft(text="The lamp is brass.", pinned=True))
    clock.advance(8 * DAY)

    await timed.sleep.run_due(Beat.STATES)

    [run] = await listed(timed.sleep, known)
    assert (run.beat, run.status, run.report.counts) == (Beat.STATES, RunStatus.DONE, {Count.STATES_CHANGED: 1})
    assert await listed(timed.sleep, other_user) == []


async def test_runs_are_listed_in_pages_the_latest_first(timed: Services, known: UserId, clock: FixedClock):
    made = []
    for _ in range(5):
        made.append((await timed.sleep(known, Beat.LINK)).id)
        clock.advance(HOUR)

    first = await timed.sleep.runs(known, first=3, after=None)
    rest = await timed.sleep.runs(known, first=3, after=first.next_cursor)

    assert [run.id for run in (*first.items, *rest.items)] == made[::-1]
    assert (first.has_next, rest.has_next) == (True, False)


async def test_a_run_of_another_user_is_unknown(timed: Services, known: UserId, other_user: UserId):
    run = await timed.sleep(known, Beat.LINK)

    with pytest.raises(NotFoundError):
        await timed.sleep.get(other_user, run.id)
    assert await listed(timed.sleep, other_user) == []


async def test_all_runs_of_a_user_can_be_followed_as_they_come(timed: Services, known: UserId):
    sleep = sleep_of(timed, Step(), follow_seconds=0.05)
    await sleep(known, Beat.CYCLE)
    seen: list[Run] = []

    async def follow() -> None:
        async for run in sleep.follow(known):
            seen.append(run)
            if run.status is RunStatus.DONE:
                return

    following = asyncio.create_task(follow())
    await asyncio.sleep(0.3)
    run = await sleep(known, Beat.CYCLE)
    async with asyncio.timeout(20):
        await following

    assert seen[-1] == run
    assert {each.id for each in seen} == {run.id}


async def test_erasing_everything_stops_a_run_and_leaves_nothing_of_it(timed: Services, known: UserId, graph: Graph):
    async def erase(piece: int) -> None:
        if piece == 1:
            await timed.amend.erase_everything(known, confirm=known)

    step = Step(pieces=5, between=erase)

    run = await sleep_of(timed, step)(known, Beat.CYCLE)

    assert (run.status, step.wrote) == (RunStatus.FAILED, [0, 1])
    assert [node.split("]")[0] for node in (await graph.dump(known)).nodes] == ["['Change'"]
    assert await graph.run("MATCH (l:Lease) WHERE l.id ENDS WITH $user RETURN l", user=known) == []


async def test_erasing_a_memory_takes_away_the_plans_that_speak_of_it(timed: Services, known: UserId, graph: Graph):
    memory = (await timed.remember(known, MemoryDraft(text="The word is quokka."))).memory
    assert memory is not None

    class Plans:
        name = "merge"

        async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
            return StepReport(plan=(Planned(action="merge", memory_ids=(memory.id,), text=memory.text),))

    sleep = sleep_of(timed, Plans())
    run = await sleep(known, Beat.CYCLE, dry_run=True)

    await timed.amend.erase(known, memory.id)

    assert run.report.plan[0].text == memory.text
    assert (await sleep.get(known, run.id)).report.plan == ()
    assert not [node for node in (await graph.dump(known)).nodes if "quokka" in node]


WORKER = """
import asyncio, sys
from dataclasses import replace
from graph_memory.bootstrap import open_services
from graph_memory.domain.sleep import Beat
from graph_memory.testing import HashingEmbedder
from tests.integration.test_sleep_runs import Step, sleep_of
from graph_memory.settings import Settings

async def work(user):
    async def hang(piece):
        if piece == 1:
            print("working", flush=True)
            await asyncio.sleep(60)
    async with open_services(Settings.from_environment(), embedder=HashingEmbedder()) as services:
        await sleep_of(services, Step(between=hang), lease_seconds=4.0)(user, Beat.CYCLE)

asyncio.run(work(sys.argv[1]))
"""


async def test_a_worker_that_is_killed_leaves_a_run_that_another_takes_over(
    services: Services, settings: Settings, user: UserId
):
    await services.remember(user, MemoryDraft(text="The desk is oak."))
    neo4j = settings.neo4j
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "NEO4J_URI": neo4j.uri or "",
        "NEO4J_USERNAME": neo4j.username,
        "NEO4J_PASSWORD": neo4j.password or "",
        "GRAPH_MEMORY_HOME": str(settings.home),
    }
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WORKER, user, stdout=asyncio.subprocess.PIPE, env=environment
    )
    assert worker.stdout is not None
    async with asyncio.timeout(60):
        assert await worker.stdout.readline() == b"working\n"
    worker.send_signal(signal.SIGKILL)
    await worker.wait()
    step = Step()
    sleep = sleep_of(services, step, lease_seconds=4.0)

    statuses = []
    async with asyncio.timeout(60):
        while (run := await sleep(user, Beat.CYCLE)).status is RunStatus.REFUSED:
            statuses.append(run.status)
            await asyncio.sleep(0.5)  # a page holds all that are refused

    assert run.status is RunStatus.DONE
    assert (await listed(sleep, user))[-1].status is RunStatus.FAILED
    assert step.wrote == [0, 1, 2]
