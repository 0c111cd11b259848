"""Forgetting is a date, not a job: a beat done twice, a year late or not at all changes no answer."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tried
from hypothesis import strategies as st

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.tiers import relevance, tier
from graph_memory.domain.vocabulary import MemoryId, MemoryOrder, State, UserId
from graph_memory.ports import MemoryFilter
from graph_memory.services.paging import PageRequest
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.integration.graph import Graph, open_graph

NOON, HOUR, YEAR = datetime(2031, 5, 1, 12, tzinfo=UTC), timedelta(hours=1), timedelta(days=365)
TEXTS = (
    "Ana keeps the oak desk in Porto.",
    "Bruno painted the boat blue.",
    "The rehearsal moved to Thursday.",
    "Dora grows tomatoes behind the boat shed.",
)
QUESTIONS = ("Where is the oak desk?", "Who painted the boat?", "tomatoes")

GAPS = st.sampled_from([timedelta(minutes=5), timedelta(hours=13), timedelta(days=6), timedelta(days=40)])
STEPS = st.tuples(GAPS, st.sampled_from(["touch", "confirm", "doubt", "pin", "unpin"]), st.integers(0, len(TEXTS) - 1))
HISTORIES = st.lists(STEPS, min_size=1, max_size=8)
IDLE = st.sampled_from([timedelta(0), timedelta(days=7), timedelta(days=30), timedelta(days=100), timedelta(days=400)])


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered, and how near each hit was, which an index gives in single precision."""

    told: list[Any]
    cosines: list[float | None]

    def agree_with(self, other: "Answers") -> bool:
        assert self.told == other.told
        assert self.cosines == [None if each is None else pytest.approx(each, abs=1e-5) for each in other.cosines]
        return True


@dataclass(frozen=True, slots=True)
class Life:
    """A user with a history, and the clock that it was lived by."""

    services: Services
    graph: Graph
    clock: FixedClock
    user: UserId
    ids: tuple[MemoryId, ...]

    async def live(self, steps: list[tuple[timedelta, str, int]]) -> None:
        use = self.services.use
        acts: dict[str, Callable[[str], Awaitable[object]]] = {
            "touch": lambda memory_id: use.touch(self.user, [memory_id]),
            "confirm": lambda memory_id: use.confirm(self.user, memory_id),
            "doubt": lambda memory_id: use.doubt(self.user, memory_id),
            "pin": lambda memory_id: use.pin(self.user, memory_id),
            "unpin": lambda memory_id: use.unpin(self.user, memory_id),
        }
        for gap, act, place in steps:
            self.clock.advance(gap)
            await acts[act](self.ids[place])

    async def beat(self) -> None:
        """One beat, whatever the clock said when another test had its own."""
        await self.graph.run("MATCH (l:Lease {id: 'state labels'}) DELETE l")
        assert await self.services.beats.lower_states() is not None

    async def answers(self) -> "Answers":
        """All that a caller could ask now."""
        inspect, at, curves = self.services.inspect, self.clock.now(), self.services.settings
        profile = curves.tier_profile()
        memories = await inspect.memories(self.user, self.ids)
        told: list[Any] = [
            (
                memory.id,
                curves.strength_curve().strength(memory.strength, at),
                curves.strength_curve().retention(memory.strength, at),
                relevance(memory.touched_at, at, profile=profile, pinned=memory.pinned),
                tier(memory.touched_at, at, profile=profile, pinned=memory.pinned),
                memory.states.state(at),
                memory.visible_until,
                memory.confidence,
            )
            for memory in sorted(memories.values(), key=lambda memory: memory.id)
        ]
        cosines: list[float | None] = []
        for question in QUESTIONS:
            answer = await self.services.recall(self.user, Question(query=question, reinforce=False))
            # Not the scores: they only order, and rest on word statistics of the whole index, which other tests move.
            told.append([hit.memory.id for hit in answer.hits])
            cosines += [hit.cosine for hit in answer.hits]
        for state in State:
            page = await inspect.find_memories(
                self.user, MemoryFilter(states=(state,)), PageRequest(), order=MemoryOrder.STRENGTH_DESC
            )
            told.append([memory.id for memory in page.items])
        return Answers([*told, await inspect.stats(self.user)], cosines)


async def _born(services: Services, graph: Graph, clock: FixedClock) -> Life:
    user = UserId(f"user-{uuid4().hex[:12]}")
    ids = []
    for text in TEXTS:
        memory = (await services.remember(user, MemoryDraft(text=text))).memory
        assert memory is not None
        ids.append(memory.id)
    return Life(services, graph, clock, user, tuple(ids))


@tried(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=HISTORIES, idle=IDLE)
async def test_a_beat_twice_a_year_late_or_never_changes_no_answer(
    migrated_settings: Settings, steps: list[tuple[timedelta, str, int]], idle: timedelta
):
    clock = FixedClock(NOON)
    async with (
        open_services(migrated_settings, embedder=HashingEmbedder(), clock=clock) as services,
        open_graph(migrated_settings) as graph,
    ):
        life = await _born(services, graph, clock)
        await life.live(steps)
        clock.advance(idle)
        asked_at = clock.now()
        never = await life.answers()

        await life.beat()
        once = await life.answers()
        await life.beat()
        twice = await life.answers()
        clock.set(asked_at + YEAR)
        never_till_late = await life.answers()
        await life.beat()
        late = await life.answers()
        clock.set(asked_at)
        looked_back = await life.answers()

    assert once.agree_with(never)
    assert twice.agree_with(never)
    assert late.agree_with(never_till_late)
    assert looked_back.agree_with(never)


async def test_the_beats_of_this_law_do_move_labels(migrated_settings: Settings):
    """So that the law above is not kept by a beat that does nothing."""
    clock = FixedClock(NOON)
    async with (
        open_services(migrated_settings, embedder=HashingEmbedder(), clock=clock) as services,
        open_graph(migrated_settings) as graph,
    ):
        life = await _born(services, graph, clock)
        clock.advance(YEAR)

        await life.beat()
        await life.beat()
        memories = await services.inspect.memories(life.user, life.ids)

    assert {memory.state for memory in memories.values()} == {State.FORGOTTEN}
