"""The law of a session: NEXT is the chain of its unexpired memories by time, and every context follows from it."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import uuid4

import hypothesis
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.services.amend import Update
from graph_memory.settings import Settings
from graph_memory.testing import HashingEmbedder
from tests.integration.graph import Graph, open_graph

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
MINUTES = st.integers(0, 4)  # few, so that several memories share an instant and their ids decide
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("remember"), MINUTES, st.sampled_from([None, "Ana", "Bruno"])),
        st.tuples(st.sampled_from(["forget", "restore", "erase"]), st.integers(0, 20), st.none()),
        st.tuples(st.just("move"), st.integers(0, 20), MINUTES),
    ),
    min_size=4,
    max_size=14,
)


@dataclass
class Session:
    """What a session should hold, kept beside the product."""

    user: UserId = field(default_factory=lambda: UserId(f"session-{uuid4().hex[:12]}"))
    memories: dict[MemoryId, tuple[datetime, str]] = field(default_factory=dict)  # when, and the line in a context
    forgotten: set[MemoryId] = field(default_factory=set)

    def chain(self) -> list[MemoryId]:
        standing = (each for each in self.memories if each not in self.forgotten)
        return sorted(standing, key=lambda each: (self.memories[each][0], each))

    def context(self, place: int, chain: list[MemoryId]) -> str | None:
        around = chain[max(0, place - 1) : place + 2]
        return "\n".join(self.memories[each][1] for each in around) if len(around) > 1 else None


@hypothesis.settings(max_examples=12, deadline=None)
@given(steps=STEPS)
def test_a_session_is_one_chain_whatever_happened_to_its_memories(migrated_settings: Settings, steps: list[Any]):
    asyncio.run(_live(migrated_settings, steps))


async def _live(settings: Settings, steps: list[Any]) -> None:
    session = Session()
    async with open_services(settings, embedder=HashingEmbedder()) as services, open_graph(settings) as graph:
        for number, step in enumerate(steps):
            await _step(services, session, number, *step)
        await _expect_chain(graph, session)


async def _step(services: Services, session: Session, number: int, act: str, first: int, second: Any) -> None:
    user, ids = session.user, sorted(session.memories)
    if act == "remember":
        when = NOON + timedelta(minutes=first)
        draft = MemoryDraft(text=f"Turn {number}.", speaker=second, session_id="s", occurred_at=when)
        written = await services.remember(user, draft)
        assert written.memory
        session.memories[written.memory.id] = (when, f"{second}: Turn {number}." if second else f"Turn {number}.")
        return
    if not ids:
        return
    chosen = ids[first % len(ids)]
    if act == "forget":
        await services.amend.forget(user, chosen)
        session.forgotten.add(chosen)
    elif act == "restore":
        await services.amend.restore(user, chosen)
        session.forgotten.discard(chosen)
    elif act == "erase":
        await services.amend.erase(user, chosen)
        del session.memories[chosen]
        session.forgotten.discard(chosen)
    elif act == "move":
        when = NOON + timedelta(minutes=second)
        await services.amend.update(user, chosen, Update(occurred_at=when))
        session.memories[chosen] = (when, session.memories[chosen][1])


async def _expect_chain(graph: Graph, session: Session) -> None:
    chain = session.chain()
    links = await graph.run(
        "MATCH (a:Memory {user_id: $u})-[:NEXT]->(b:Memory) RETURN a.id AS a, b.id AS b", u=session.user
    )
    contexts = await graph.run(
        "MATCH (m:Memory {user_id: $u}) WHERE m.id IN $ids RETURN m.id AS id, m.context_text AS text",
        u=session.user,
        ids=chain,
    )

    assert sorted((row["a"], row["b"]) for row in links) == sorted(pairwise(chain))
    assert {row["id"]: row["text"] for row in contexts} == {
        each: session.context(place, chain) for place, each in enumerate(chain)
    }
