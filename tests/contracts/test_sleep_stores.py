"""What every store of leases and of runs keeps, in memory and in Neo4j."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from graph_memory import testing
from graph_memory.bootstrap import Services
from graph_memory.domain.asked import Question
from graph_memory.domain.model_usage import Tokens, Use
from graph_memory.domain.sleep import LOST_WORKER, Beat, Count, Planned, Run, RunStatus, StepReport
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import LeaseStore, RunStore
from graph_memory.stores.leases import Neo4jLeaseStore
from graph_memory.stores.runs import Neo4jRunStore

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Stores:
    runs: RunStore
    leases: LeaseStore
    know: Callable[[UserId, datetime], Awaitable[None]]


def in_memory(request: pytest.FixtureRequest) -> Stores:
    runs = testing.ListedRuns()

    async def know(user_id: UserId, at: datetime) -> None:
        runs.know(user_id, at=at)

    return Stores(runs, testing.HeldLeases(), know)


def neo4j(request: pytest.FixtureRequest) -> Stores:
    services: Services = request.getfixturevalue("services")

    async def know(user_id: UserId, at: datetime) -> None:
        chosen = {"time_zone": "UTC", "tier_profile": "default"}
        await services.connection.run("graph/lock_user", user_id=user_id, at=at, otherwise=chosen)

    return Stores(Neo4jRunStore(services.connection), Neo4jLeaseStore(services.connection), know)


@pytest.fixture(
    params=[
        pytest.param(in_memory, id="in_memory"),
        pytest.param(neo4j, id="neo4j", marks=pytest.mark.integration),
    ]
)
def stores(request: pytest.FixtureRequest) -> Stores:
    return request.param(request)


def run_of(user: UserId, *, started_at: datetime = NOON, beat: Beat = Beat.CYCLE) -> Run:
    return Run(
        id=f"run-{uuid4().hex}",
        user_id=user,
        beat=beat,
        status=RunStatus.RUNNING,
        at=started_at,
        started_at=started_at,
        alive_until=started_at + HOUR,
    )


async def test_a_lease_is_held_until_it_ends_or_is_given_back(stores: Stores):
    job, leases = f"job {uuid4().hex}", stores.leases

    taken = await leases.take(job, "one", at=NOON, until=NOON + HOUR)
    beside = await leases.take(job, "two", at=NOON + HOUR / 2, until=NOON + 2 * HOUR)
    renewed = await leases.take(job, "one", at=NOON + HOUR / 2, until=NOON + 2 * HOUR)
    at_its_end = await leases.take(job, "two", at=NOON + 2 * HOUR, until=NOON + 3 * HOUR)
    await leases.give_back(job, "one")  # no longer its own
    kept = await leases.take(job, "one", at=NOON + 2 * HOUR, until=NOON + 3 * HOUR)
    await leases.give_back(job, "two")
    free = await leases.take(job, "one", at=NOON + 2 * HOUR, until=NOON + 3 * HOUR)
    await leases.give_back(job, "one")

    assert (taken, beside, renewed, at_its_end, kept, free) == (True, False, True, True, False, True)


async def test_a_run_reads_as_it_was_written(stores: Stores, user: UserId):
    await stores.know(user, NOON)
    report = StepReport(
        counts={Count.MERGED: 2, Count.FADED: 1},
        plan=(Planned(action="merge", memory_ids=(MemoryId("m-1"),), text="Ana rows.", detail={"cosine": 0.9}),),
        notes=("merge: the rules answered",),
        statistics={"memories": 3, "by_state": {"core": 3}},
        estimate={Question.MERGE: Use(calls=2, tokens=Tokens(input=300, output=40), cost=0.0025)},
    )
    run = run_of(user)

    known = await stores.runs.begin(run)
    going = replace(run, progress=0.5, report=report)
    told = await stores.runs.tell(going)
    halfway = await stores.runs.get(user, run.id)
    done = replace(going, status=RunStatus.DONE, progress=1.0, finished_at=NOON + HOUR)
    ended = await stores.runs.end(done, due_at=None)

    assert (known, told, ended) == (True, True, True)
    assert halfway == going
    assert await stores.runs.get(user, run.id) == done


async def test_a_run_of_an_unknown_user_is_not_stored(stores: Stores, user: UserId):
    run = run_of(user)

    assert not await stores.runs.begin(run)
    await stores.runs.add([replace(run, status=RunStatus.REFUSED)])
    assert await stores.runs.get(user, run.id) is None


async def test_a_run_that_begins_tells_the_dead_ones_of_its_kind_as_failed(stores: Stores, user: UserId):
    await stores.know(user, NOON)
    dead, other_kind = run_of(user), run_of(user, beat=Beat.HOUSEKEEPING)
    for run in (dead, other_kind):
        await stores.runs.begin(run)

    await stores.runs.begin(run_of(user, started_at=NOON + 2 * HOUR))
    told, standing = await stores.runs.get(user, dead.id), await stores.runs.get(user, other_kind.id)
    too_late = await stores.runs.tell(replace(dead, progress=0.9))

    assert told is not None
    assert (told.status, told.finished_at, told.report.notes) == (RunStatus.FAILED, NOON + HOUR, (LOST_WORKER,))
    assert standing == other_kind
    assert not too_late


async def test_a_user_falls_due_when_new_then_when_a_run_counts_as_dead_then_when_its_end_says(
    stores: Stores, user: UserId
):
    async def due(at: datetime) -> list[datetime]:
        return [due_at for user_id, due_at in await stores.runs.due(Beat.CYCLE, at=at, limit=10_000) if user_id == user]

    await stores.know(user, NOON)
    new, too_early = await due(NOON), await due(NOON - timedelta(seconds=1))
    dry = replace(run_of(user), dry_run=True)
    await stores.runs.begin(dry)
    after_dry = await due(NOON)
    run = run_of(user, started_at=NOON + HOUR)
    await stores.runs.begin(run)
    while_it_runs, when_dead = await due(NOON + HOUR), await due(NOON + 2 * HOUR)
    await stores.runs.end(replace(run, status=RunStatus.DONE), due_at=NOON + 7 * HOUR)
    done = await due(NOON + 7 * HOUR)

    assert (new, too_early, after_dry) == ([NOON], [], [NOON])
    assert (while_it_runs, when_dead, done) == ([], [NOON + 2 * HOUR], [NOON + 7 * HOUR])


async def test_runs_are_listed_the_latest_first_and_dropped_by_age(stores: Stores, user: UserId):
    await stores.know(user, NOON)
    runs = [replace(run_of(user, started_at=NOON + hours * HOUR), status=RunStatus.DONE) for hours in range(4)]
    await stores.runs.add(runs)

    first = await stores.runs.find(user, after=None, limit=2)
    rest = await stores.runs.find(user, after=first[-1].position, limit=5)
    dropped = [
        await stores.runs.drop_old(user, beats, before=NOON + 2 * HOUR, limit=10)
        for beats in ((Beat.LINK, Beat.STATES), (Beat.LINK, Beat.CYCLE))
    ]
    await stores.runs.drop(user, runs[3].id)
    left = await stores.runs.find(user, after=None, limit=5)

    assert [row.value for row in (*first, *rest)] == runs[::-1]
    assert dropped == [0, 2]
    assert [row.value for row in left] == [runs[2]]


async def test_nobody_else_sees_or_drops_a_run(stores: Stores, user: UserId, other_user: UserId):
    await stores.know(user, NOON)
    run = run_of(user)
    await stores.runs.begin(run)

    await stores.runs.drop(other_user, run.id)

    assert await stores.runs.get(other_user, run.id) is None
    assert await stores.runs.find(other_user, after=None, limit=5) == []
    assert await stores.runs.drop_old(other_user, (Beat.CYCLE,), before=NOON + HOUR, limit=5) == 0
    assert await stores.runs.get(user, run.id) == run
