"""How many answers a second many callers get who ask at once, and how evenly they get them."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import neo4j
import numpy as np

import cypher
from graph_memory.bootstrap import Services, address_of
from graph_memory.settings import Settings
from graph_memory.stores.connection import bound

_STATEMENT = "recall/recall"
_ALL = 1_000_000
T = TypeVar("T")
Params = Mapping[str, object]
Ask = Callable[[T], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Load:
    """What callers got who asked at once."""

    milliseconds: tuple[tuple[float, ...], ...]  # of each answer, by caller
    seconds: float  # from the first question to the last answer

    @property
    def answers(self) -> int:
        return sum(len(each) for each in self.milliseconds)

    @property
    def per_second(self) -> float:
        return self.answers / self.seconds

    @property
    def fewest_share(self) -> float:
        """Answers of the caller who got fewest, over the mean; 1: all got the same."""
        return min(len(each) for each in self.milliseconds) * len(self.milliseconds) / self.answers

    @property
    def slowest_p95(self) -> float:
        """The 95th percentile of the caller for whom it is largest, milliseconds."""
        return max(float(np.percentile(each, 95)) for each in self.milliseconds)

    def percentile(self, share: int) -> float:
        return float(np.percentile(list(itertools.chain(*self.milliseconds)), share))


def joined(loads: Sequence[Load]) -> Load:
    """Several loads of the same callers as one."""
    by_caller = zip(*(load.milliseconds for load in loads), strict=True)
    return Load(
        tuple(tuple(itertools.chain(*each)) for each in by_caller),
        sum(load.seconds for load in loads),
    )


async def load(asks: Sequence[Ask[T]], questions: Iterable[T]) -> Load:
    """Each caller takes the next question as soon as its last one is answered, until none is left."""
    left, taken = iter(questions), [list[float]() for _ in asks]

    async def caller(ask: Ask[T], milliseconds: list[float]) -> None:
        for question in left:
            start = time.perf_counter()
            await ask(question)
            milliseconds.append((time.perf_counter() - start) * 1_000)

    start = time.perf_counter()
    await asyncio.gather(*(caller(*each) for each in zip(asks, taken, strict=True)))
    return Load(tuple(map(tuple, taken)), time.perf_counter() - start)


def repeated(questions: Sequence[T], *, seconds: float) -> Iterator[T]:
    """The questions over and over until the time is up."""
    ends_at = time.perf_counter() + seconds
    for question in itertools.cycle(questions):
        if time.perf_counter() >= ends_at:
            return
        yield question


@asynccontextmanager
async def bare_sessions(settings: Settings, count: int) -> AsyncIterator[list[Ask[Params]]]:
    """As many sessions of a driver of their own, each running the recall statement and reading its rows, no more."""
    address = await address_of(settings)
    auth = (address.username, address.password) if address.password else None
    async with AsyncExitStack() as stack:
        driver = await stack.enter_async_context(
            neo4j.AsyncGraphDatabase.driver(
                address.uri,
                auth=auth,
                max_connection_pool_size=count,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
            )
        )
        sessions = [
            driver.session(database=address.database, default_access_mode=neo4j.READ_ACCESS) for _ in range(count)
        ]
        yield [_asking(await stack.enter_async_context(session)) for session in sessions]


def _asking(session: neo4j.AsyncSession) -> Ask[Params]:
    query = cypher.load(_STATEMENT)

    async def ask(params: Params) -> object:
        result = await session.run(query.sent, dict(params))
        return await result.fetch(_ALL)

    return ask


def as_sent(params: Params) -> Params:
    """Parameters as the product's connection sends them."""
    return bound(cypher.load(_STATEMENT), params)


@dataclass(frozen=True, slots=True)
class Minute:
    """What a time of reinforced recalls left behind."""

    load: Load
    waiting: tuple[int, ...]  # answers not followed up yet, once a second
    waiting_at_end: int
    drained_after_seconds: float


async def reinforced(services: Services, asks: Sequence[Ask[T]], questions: Sequence[T], *, seconds: float) -> Minute:
    """Asks for a time, looks at the queue once a second, then waits until it is empty."""
    lengths: list[int] = []

    async def look() -> None:
        while True:
            await asyncio.sleep(1)
            lengths.append(services.aftermath.waiting)

    looking = asyncio.create_task(look())
    try:
        got = await load(asks, repeated(questions, seconds=seconds))
    finally:
        looking.cancel()
    at_end, start = services.aftermath.waiting, time.perf_counter()
    await services.aftermath.settled()
    if services.aftermath.waiting:
        raise SystemExit(f"{services.aftermath.waiting} answers were not followed up: the queue did not drain")
    return Minute(got, tuple(lengths), at_end, time.perf_counter() - start)
