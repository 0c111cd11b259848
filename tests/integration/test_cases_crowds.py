"""Many at once leave the graph as if they had come one after another (cases 17, 18, 20)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import LinkType
from graph_memory.domain.names import NameKind
from graph_memory.domain.vocabulary import UserId, WriteOperation
from graph_memory.errors import StoreBusyError
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.stores.connection import Transaction
from graph_memory.testing import HashingEmbedder
from tests.integration.graph import Graph

POOL = 5


async def _enriched(services: Services, workers: int = 1) -> None:
    async def work() -> None:
        while await services.enrich():
            pass

    await asyncio.gather(*(work() for _ in range(workers)))


# Case 17


async def test_many_who_mention_one_new_person_at_once_make_one_person_of_it(
    services: Services, user: UserId, other_user: UserId, graph: Graph
):
    async def mention(owner: UserId, number: int) -> None:
        await services.remember(
            owner, MemoryDraft(text=f"Dora Klein brought cake number {number}.", people=("Dora Klein",))
        )

    await asyncio.gather(*(mention(owner, number) for number in range(25) for owner in (user, other_user)))
    await _enriched(services, workers=4)

    for owner in (user, other_user):
        page = await services.inspect.find_names(owner, NameKind.PERSON, search="dora", first=5, after=None)
        assert [node.name for node in page.items] == ["Dora Klein"]
        assert await services.inspect.count_memories_naming(owner, page.items[0].id) == 25
        assert (
            await graph.value("RETURN COUNT { (:Memory {user_id: $u})-[:REFERS_TO]->(:Person {user_id: $u}) }", u=owner)
            == 25
        )


async def test_a_fresh_installation_holds_the_constraints_against_twins(graph: Graph):
    names = {row["name"] for row in await graph.run("SHOW CONSTRAINTS YIELD name")}

    assert names >= {
        "person_user_id_name_key_unique",
        "entity_user_id_name_key_unique",
        "memory_user_id_current_key_unique",
        "memory_user_id_idempotency_key_unique",
        "user_user_id_unique",
        "lease_id_unique",
    }


async def test_many_who_say_the_same_at_once_make_one_memory(services: Services, user: UserId):
    written = await asyncio.gather(*(services.remember(user, MemoryDraft(text="The desk is oak.")) for _ in range(25)))

    assert len({each.memory.id for each in written if each.memory}) == 1
    assert [each.operation for each in written].count(WriteOperation.ADD) == 1
    assert (await services.inspect.stats(user)).memories == 1


async def test_many_tries_under_one_key_make_one_memory(services: Services, user: UserId):
    tries = (MemoryDraft(text=f"Told {number} times.", idempotency_key="key-1") for number in range(25))

    written = await asyncio.gather(*(services.remember(user, draft) for draft in tries))

    assert len({each.memory.id for each in written if each.memory}) == 1
    assert sum(not each.replayed for each in written) == 1


async def test_two_processes_that_say_the_same_at_once_make_one_memory(
    settings: Settings, services: Services, user: UserId
):
    """Each with a group commit of its own, so that only the graph can tell."""
    async with open_services(settings, embedder=HashingEmbedder()) as other:
        for number in range(10):
            draft = MemoryDraft(text=f"The desk has {number} legs.", idempotency_key=f"key-{number}")
            first, second = await asyncio.gather(services.remember(user, draft), other.remember(user, draft))
            assert first.memory
            assert second.memory
            assert first.memory.id == second.memory.id

    assert (await services.inspect.stats(user)).memories == 10


# Case 18


@pytest.mark.parametrize(
    ("there", "back", "expected"),
    [
        (LinkType.SIMILAR_TO, LinkType.SIMILAR_TO, 3),  # symmetric: from both ends the same link
        (LinkType.LEADS_TO, LinkType.BECAUSE_OF, 3),  # inverse: the same link, read from the other end
        (LinkType.ENABLES, LinkType.ENABLES, 6),  # directed: two links
    ],
)
async def test_links_made_at_once_from_both_ends_neither_deadlock_nor_count_twice(
    services: Services, user: UserId, graph: Graph, there: LinkType, back: LinkType, expected: int
):
    written = [await services.remember(user, MemoryDraft(text=f"Boat {letter}.")) for letter in "abcd"]
    a, b, c, d = (each.memory.id for each in written if each.memory)

    async def walk(ends: list[tuple[str, str]], link_type: LinkType, weight: float) -> None:
        for source, target in ends:
            await services.links.link(user, link_type, source, target, weight=weight)

    forward, backward = [(a, b), (b, c), (c, d)], [(d, c), (c, b), (b, a)]
    await asyncio.gather(
        *(walk(forward, there, number / 40) for number in range(15)),
        *(walk(backward, back, number / 40) for number in range(15)),
    )

    links = await graph.run(
        "MATCH (x:Memory {user_id: $u})-[r]->(:Memory) WHERE type(r) IN $types RETURN r.weight AS weight",
        u=user,
        types=[there.value, back.value],
    )
    assert [row["weight"] for row in links] == [pytest.approx(14 / 40)] * expected
    made = await graph.value("RETURN COUNT { (c:Change {user_id: $u}) WHERE c.action = 'link' }", u=user)
    assert made == expected


async def test_sessions_written_at_once_by_many_are_whole_chains_after_enrichment(
    services: Services, user: UserId, graph: Graph
):
    drafts = [MemoryDraft(text=f"Turn {number}.", session_id=f"s-{number % 2}") for number in range(40)]

    await asyncio.gather(*(services.remember(user, draft) for draft in drafts))
    await _enriched(services)

    for session in ("s-0", "s-1"):
        ids = [
            row["id"]
            for row in await graph.run(
                "MATCH (m:Memory {user_id: $u, session_id: $s}) RETURN m.id AS id ORDER BY m.position",
                u=user,
                s=session,
            )
        ]
        pairs = await graph.run(
            "MATCH (m:Memory {user_id: $u, session_id: $s})-[:NEXT]->(n) RETURN m.id AS a, n.id AS b", u=user, s=session
        )
        assert len(ids) == 20
        assert {(row["a"], row["b"]) for row in pairs} == set(pairwise(ids))


# Case 20


@pytest.fixture
async def narrow(settings: Settings) -> AsyncIterator[Services]:
    """The product with a pool of five connections and much patience."""
    pool = replace(settings.neo4j, max_connections=POOL, busy_after_seconds=120.0)
    async with open_services(replace(settings, neo4j=pool), embedder=HashingEmbedder()) as services:
        yield services


async def _connections(graph: Graph) -> int:
    rows = await graph.run("CALL dbms.listConnections() YIELD connectionId, userAgent RETURN count(*) AS open")
    return int(rows[0]["open"])


async def test_cancelled_searches_lose_no_connection(narrow: Services, user: UserId, graph: Graph):
    await narrow.remember(user, MemoryDraft(text="The desk is oak."))
    await narrow.recall(user, Question(query="desk"))
    others = await _connections(graph) - len(await _open_of(graph, narrow))
    most = 0

    for _ in range(5):
        searches = [asyncio.create_task(narrow.recall(user, Question(query="oak desk"))) for _ in range(60)]
        await asyncio.sleep(0.02)
        for search in searches[::2]:
            search.cancel()
        most = max(most, await _connections(graph) - others)
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*searches, return_exceptions=True)
        answers = await asyncio.gather(*(narrow.recall(user, Question(query="oak desk")) for _ in range(10)))
        assert [len(answer.hits) for answer in answers] == [1] * 10

    assert most <= POOL
    assert await _connections(graph) - others <= POOL


async def _open_of(graph: Graph, services: Services) -> list[str]:
    """The connections that a product holds: those that go when it does nothing but wait are none of a test's."""
    pool = services.connection._driver._pool.connections  # type: ignore[union-attr]
    return [str(connection) for held in pool.values() for connection in held]


async def test_a_full_pool_says_that_it_is_busy_and_serves_again_afterwards(settings: Settings, user: UserId):
    pool = replace(settings.neo4j, max_connections=POOL, busy_after_seconds=0.2)
    async with open_services(replace(settings, neo4j=pool), embedder=HashingEmbedder()) as services:
        release, holding = asyncio.Event(), asyncio.Semaphore(0)

        async def hold(transaction: Transaction) -> None:
            await transaction.run("graph/get_user", user_id=user)
            holding.release()
            await release.wait()

        holders = [asyncio.create_task(services.connection.transaction(hold)) for _ in range(POOL)]
        for _ in range(POOL):
            await holding.acquire()

        async with asyncio.timeout(10):
            with pytest.raises(StoreBusyError, match="all 5 connections are taken") as caught:
                await services.recall(user, Question(query="desk"))

        assert caught.value.is_retryable()
        release.set()
        await asyncio.gather(*holders)
        assert (await services.recall(user, Question(query="desk"))).hits == ()
