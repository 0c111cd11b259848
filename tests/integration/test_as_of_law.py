"""What was believed then: recall and lists at any two instants give what a plain model of the dates says."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any
from uuid import uuid4

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.errors import ConflictError, InvalidValueError
from graph_memory.ports import MemoryFilter
from graph_memory.services.paging import PageRequest
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder

NOON, DAY, TICK = datetime(2031, 5, 1, 12, tzinfo=UTC), timedelta(days=1), timedelta(microseconds=1)
OPEN_END = datetime(9999, 12, 31, tzinfo=UTC)
QUERY = "oak desk"  # every text holds it, so that all that was believed is found

PLACES = st.integers(0, 9)  # which memory, counted round
GAPS = st.sampled_from([timedelta(0), timedelta(hours=1), 3 * DAY, 400 * DAY])  # the last hides what was not used
OFFSETS = st.one_of(st.none(), st.integers(-5, 5))  # days from the clock
STEPS = st.tuples(
    GAPS,
    st.one_of(
        st.tuples(st.just("remember"), OFFSETS, st.one_of(st.none(), st.integers(1, 6))),
        st.tuples(st.just("supersede"), st.tuples(PLACES, PLACES), OFFSETS),
        st.tuples(st.sampled_from(["forget", "restore", "correct"]), PLACES, st.none()),
    ),
)
HISTORIES = st.lists(STEPS, min_size=3, max_size=12)
ASKED = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)), min_size=6, max_size=10)


@dataclass(frozen=True, slots=True)
class Dates:
    """When a memory holds in the world, and when we knew so."""

    valid_at: datetime
    invalid_at: datetime = OPEN_END
    invalidated_at: datetime = OPEN_END
    expired_at: datetime = OPEN_END

    def told(self) -> set[datetime]:
        return {self.valid_at, self.invalid_at, self.invalidated_at, self.expired_at} - {OPEN_END}


@dataclass
class Remembered:
    """One memory as the model keeps it: its dates and texts, and those it had before, each until when we had them."""

    created_at: datetime
    dates: Dates
    text: str
    past_dates: list[tuple[datetime, Dates]] = field(default_factory=list)
    past_texts: list[tuple[datetime, str]] = field(default_factory=list)

    def believed(self, as_of: datetime, known_at: datetime) -> bool:
        """operations.md, Time."""
        dates = next((dates for until, dates in self.past_dates if known_at < until), self.dates)
        known = self.created_at <= known_at < dates.expired_at
        end_known = dates.invalidated_at <= known_at
        return known and dates.valid_at <= as_of and (as_of < dates.invalid_at or not end_known)

    def text_at(self, known_at: datetime) -> str:
        return next((text for until, text in self.past_texts if known_at < until), self.text)

    def instants(self) -> set[datetime]:
        """Every instant at which the answer may turn."""
        turned = {self.created_at, *self.dates.told(), *(until for until, _ in self.past_texts)}
        return turned.union(*({until, *dates.told()} for until, dates in self.past_dates))


@dataclass
class Life:
    """A user, and what the model holds of them beside the product."""

    services: Services
    clock: FixedClock
    user: UserId = field(default_factory=lambda: UserId(f"as-of-{uuid4().hex[:12]}"))
    memories: dict[MemoryId, Remembered] = field(default_factory=dict)  # in the order of their making
    done: list[str] = field(default_factory=list)  # the steps that were not refused

    async def step(self, gap: timedelta, act: str, first: Any, second: Any) -> None:
        """One step of a history; what the product refuses changes nothing in the model either."""
        self.clock.advance(gap)
        if act != "remember" and not self.memories:
            return
        try:
            await getattr(self, f"_{act}")(first, second)
        except (ConflictError, InvalidValueError):
            return
        self.done.append(act)

    async def _remember(self, begins: int | None, lasts: int | None) -> None:
        now, number = self.clock.now(), len(self.memories)
        valid_at = None if begins is None else now + begins * DAY
        invalid_at = None if lasts is None else (valid_at or now) + lasts * DAY
        text = f"The oak desk has place {number}."
        draft = MemoryDraft(text=text, valid_at=valid_at, invalid_at=invalid_at)
        memory = (await self.services.remember(self.user, draft)).memory
        assert memory is not None
        dates = Dates(valid_at or now, invalid_at or OPEN_END, now if invalid_at else OPEN_END)
        self.memories[memory.id] = Remembered(now, dates, text)

    async def _supersede(self, places: tuple[int, int], ends: int | None) -> None:
        now, (old_id, new_id) = self.clock.now(), map(self._at, places)
        at = None if ends is None else now + ends * DAY
        await self.services.revise.supersede(self.user, old_id, new_id, at=at)
        old, new = self.memories[old_id], self.memories[new_id]
        old.dates = replace(old.dates, invalid_at=at or new.dates.valid_at, invalidated_at=now)

    async def _correct(self, place: int, _: None) -> None:
        memory_id = self._at(place)
        memory = self.memories[memory_id]
        text = f"{memory.text} Truly."
        await self.services.revise.correct(self.user, memory_id, text)
        memory.past_texts.append((self.clock.now(), memory.text))
        memory.text = text

    async def _forget(self, place: int, _: None) -> None:
        memory_id = self._at(place)
        await self.services.amend.forget(self.user, memory_id)
        dates = self.memories[memory_id].dates
        self.memories[memory_id].dates = replace(dates, expired_at=min(dates.expired_at, self.clock.now()))

    async def _restore(self, place: int, _: None) -> None:
        """A new interval begins: now where the world had ended the old one."""
        memory_id, now = self._at(place), self.clock.now()
        restored = await self.services.amend.restore(self.user, memory_id)
        memory = self.memories[memory_id]
        if len(restored.past_intervals) == len(memory.past_dates):  # it was current
            return
        dates = memory.dates
        memory.past_dates.append((now, dates))
        memory.dates = Dates(now if dates.invalid_at <= now else dates.valid_at)

    def _at(self, place: int) -> MemoryId:
        return tuple(self.memories)[place % len(self.memories)]

    def instants(self) -> list[datetime]:
        """Every instant at which an answer may turn, and just before and after it."""
        turned = {NOON, self.clock.now()}.union(*(memory.instants() for memory in self.memories.values()))
        return sorted({instant + by for instant in turned for by in (-TICK, timedelta(0), TICK)})

    def believed(self, as_of: datetime, known_at: datetime) -> dict[MemoryId, str]:
        """What the model says was believed, with the text that it had."""
        return {
            memory_id: memory.text_at(known_at)
            for memory_id, memory in self.memories.items()
            if memory.believed(as_of, known_at)
        }

    async def recalled(self, as_of: datetime, known_at: datetime) -> dict[MemoryId, str]:
        question = Question(query=QUERY, k=100, as_of=as_of, known_at=known_at, reinforce=False)
        hits = (await self.services.recall(self.user, question)).hits
        return {hit.memory.id: hit.memory.text for hit in hits}

    async def listed(self, as_of: datetime, known_at: datetime) -> set[MemoryId]:
        wanted = MemoryFilter(as_of=as_of, known_at=known_at)
        page = await self.services.inspect.find_memories(self.user, wanted, PageRequest(first=100))
        return {memory.id for memory in page.items}

    async def expect(self, asked: Iterable[tuple[datetime, datetime]]) -> None:
        """Holds every answer against the model."""
        for as_of, known_at in asked:
            believed = self.believed(as_of, known_at)
            assert await self.listed(as_of, known_at) == set(believed), (as_of, known_at)
            assert await self.recalled(as_of, known_at) == believed, (as_of, known_at)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """One event loop for every example, since opening the product takes longer than a history."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture(scope="module")
def services(migrated_settings: Settings, runner: asyncio.Runner, clock: FixedClock) -> Iterator[Services]:
    opened = open_services(migrated_settings, embedder=HashingEmbedder(), clock=clock)
    yield runner.run(opened.__aenter__())
    runner.run(opened.__aexit__(None, None, None))


@pytest.fixture
def life(services: Services, clock: FixedClock) -> Life:
    clock.set(NOON)
    return Life(services, clock)


@hypothesis.settings(max_examples=20, deadline=None)
@given(history=HISTORIES, asked=ASKED)
def test_recall_and_lists_at_two_instants_give_what_was_believed(
    runner: asyncio.Runner,
    services: Services,
    clock: FixedClock,
    history: list[Any],
    asked: list[tuple[int, int]],
):
    async def lived() -> None:
        clock.set(NOON)
        life = Life(services, clock)
        for gap, (act, first, second) in history:
            await life.step(gap, act, first, second)
        instants = life.instants()
        await life.expect((instants[a % len(instants)], instants[b % len(instants)]) for a, b in asked)

    runner.run(lived())


def test_an_end_that_was_given_with_a_memory_is_known_from_its_writing_on(runner: asyncio.Runner, life: Life):
    async def told(as_of: datetime) -> int:
        return len(await life.recalled(as_of=as_of, known_at=NOON))

    runner.run(life.step(timedelta(0), "remember", None, 1))

    assert runner.run(told(NOON + DAY - TICK)) == 1
    assert runner.run(told(NOON + DAY)) == 0


def test_a_life_with_every_step_is_told_right_at_every_pair_of_instants(runner: asyncio.Runner, life: Life):
    """One history worked out by hand, so that the law above is not kept by histories in which nothing happens."""
    days = [NOON + number * DAY for number in range(-3, 9)]

    async def lived() -> dict[datetime, dict[MemoryId, str]]:
        await life.step(DAY, "remember", -3, None)
        await life.step(DAY, "remember", None, None)
        await life.step(DAY, "supersede", (0, 1), -1)
        await life.step(DAY, "correct", 0, None)
        await life.step(DAY, "restore", 0, None)
        await life.step(DAY, "forget", 1, None)
        await life.step(DAY, "restore", 1, None)
        await life.expect(product(days, days))
        return {day: await life.recalled(as_of=NOON + DAY / 2, known_at=day) for day in days[3:]}

    told = runner.run(lived())

    [old, new] = life.memories
    first, corrected = "The oak desk has place 0.", "The oak desk has place 0. Truly."
    assert life.done == ["remember", "remember", "supersede", "correct", "restore", "forget", "restore"]
    assert told[NOON] == {}
    assert told[NOON + DAY] == told[NOON + 2 * DAY] == told[NOON + 3 * DAY] == {old: first}
    assert told[NOON + 4 * DAY] == {old: corrected}
    assert new not in told[NOON + 8 * DAY]  # it began later than the instant asked about
