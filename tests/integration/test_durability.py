"""What was acknowledged stays, whatever dies; and the graph's shape comes about once, the same by every way.

On a server of its own, for it is killed, and its shape is torn down.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_memory.bootstrap import open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import GraphMemoryError, StoreError, StoreMismatchError
from graph_memory.runtime import SystemClock, TimeOrderedIds
from graph_memory.services.recall import Question
from graph_memory.stores.connection import Address, Connection
from graph_memory.stores.migrator import Migrator, migrations, statements
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.architecture.sources import ROOT
from tests.integration import writers
from tests.integration.graph import Graph, open_graph
from tests.integration.scratch import Scratch, scratch_server, started

pytestmark = pytest.mark.integration

_ENOUGH = writers.WRITERS * writers.EACH // 4  # acknowledged before the blow falls
_SHAPE = (ROOT / "schema" / "shape.cypher").read_text("utf-8")


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scratch]:
    home = tmp_path_factory.mktemp("scratch-server")
    try:
        server = scratch_server(home)
        asyncio.run(server.start())
    except GraphMemoryError as error:
        pytest.skip(f"NO LOCAL SERVER, NO TESTS OF DURABILITY: {error}")
    yield started(server, home)
    asyncio.run(server.stop())
    asyncio.run(server.status())  # so that the child process is reaped


@pytest.fixture
async def scratch_graph(scratch: Scratch) -> AsyncIterator[Graph]:
    async with open_graph(scratch.settings) as graph:
        yield graph


@pytest.fixture
async def connection(scratch: Scratch) -> AsyncIterator[Connection]:
    neo4j = scratch.settings.neo4j
    assert neo4j.uri
    address = Address(
        uri=neo4j.uri,
        username=neo4j.username,
        password=neo4j.password,
        database=neo4j.database,
        max_connections=neo4j.max_connections,
        busy_after_seconds=neo4j.busy_after_seconds,
        connect_timeout_seconds=neo4j.connect_timeout_seconds,
        retry_seconds=neo4j.retry_seconds,
    )
    async with Connection(address) as connection:
        yield connection


def _migrator(connection: Connection) -> Migrator:
    return Migrator(connection, clock=SystemClock(), ids=TimeOrderedIds())


# The shape of the graph


async def test_migrations_and_the_written_shape_lead_to_the_same_graph(connection: Connection, scratch_graph: Graph):
    await _tear_down(scratch_graph)
    await _migrator(connection).migrate()
    by_migrations = await _shape(scratch_graph)

    await _tear_down(scratch_graph)
    for statement in statements(_SHAPE):
        await scratch_graph.run(statement)
    by_shape = await _shape(scratch_graph)

    assert by_migrations == by_shape
    assert len(by_shape) > 60
    assert {row["state"] for row in await scratch_graph.run("SHOW INDEXES YIELD state")} <= {"ONLINE", "POPULATING"}


async def test_migrating_again_does_nothing(connection: Connection, scratch_graph: Graph):
    await _migrator(connection).migrate()
    before = await _shape(scratch_graph), await _ledger(scratch_graph)

    again = await _migrator(connection).migrate()

    assert again == []
    assert (await _shape(scratch_graph), await _ledger(scratch_graph)) == before


async def test_two_who_migrate_at_once_do_it_once(connection: Connection, scratch_graph: Graph):
    await _tear_down(scratch_graph)

    done = await asyncio.gather(*(_migrator(connection).migrate() for _ in range(4)))

    assert sorted(done) == [[], [], [], [each.name for each in migrations()]]
    assert len(await _ledger(scratch_graph)) == len(migrations())
    assert await scratch_graph.value("RETURN COUNT { MATCH (l:Lease) }") == 0


async def test_a_migrator_that_died_holds_up_the_next_one_only_until_its_lease_ends(
    connection: Connection, scratch_graph: Graph
):
    await _tear_down(scratch_graph)
    now = datetime(2031, 1, 1, tzinfo=UTC)
    await scratch_graph.run(
        "CREATE (:Lease {id: 'migrate', holder: 'dead', until: $until})", until=now - timedelta(seconds=1)
    )

    done = await Migrator(connection, clock=FixedClock(now), ids=TimeOrderedIds()).migrate()

    assert done == [each.name for each in migrations()]


async def test_a_migration_that_died_half_way_is_repeated(connection: Connection, scratch_graph: Graph):
    await _migrator(connection).migrate()
    whole = await _shape(scratch_graph)
    await _tear_down(scratch_graph)
    for statement in list(statements(migrations()[0].text))[:20]:
        await scratch_graph.run(statement)

    await _migrator(connection).migrate()

    assert await _shape(scratch_graph) == whole


async def test_a_graph_of_a_newer_version_is_refused_before_anything_is_written(
    connection: Connection, scratch_graph: Graph
):
    await _migrator(connection).migrate()
    await scratch_graph.run("CREATE (:Migration {version: 9999, name: '9999_later', checksum: 'c'})")
    before = await _shape(scratch_graph), await _ledger(scratch_graph)

    with pytest.raises(StoreMismatchError, match=r"9999_later.*newer"):
        await _migrator(connection).migrate()

    assert (await _shape(scratch_graph), await _ledger(scratch_graph)) == before
    await scratch_graph.run("MATCH (g:Migration {version: 9999}) DELETE g")


async def test_a_migration_that_reads_otherwise_than_the_one_carried_out_is_refused(
    connection: Connection, scratch_graph: Graph
):
    await _migrator(connection).migrate()
    await scratch_graph.run("MATCH (g:Migration {version: 1}) SET g.checksum = 'x' + g.checksum")

    with pytest.raises(StoreMismatchError, match=migrations()[0].name):
        await _migrator(connection).migrate()

    await scratch_graph.run("MATCH (g:Migration {version: 1}) SET g.checksum = substring(g.checksum, 1)")
    assert await _migrator(connection).migrate() == []


async def test_another_embedder_is_refused_at_the_start_with_both_widths_and_the_way_out(
    scratch: Scratch, user: UserId
):
    """Case 7."""
    async with open_services(scratch.settings, embedder=HashingEmbedder()) as services:
        for text in ("The desk is oak.", "The lamp is brass."):
            await services.remember(user, MemoryDraft(text=text))

    with pytest.raises(StoreMismatchError, match=r"384 wide.*768.*[Ss]tart with the former embedder"):
        async with open_services(scratch.settings, embedder=HashingEmbedder(name="hashing/2", dimensions=768)):
            pytest.fail("opened")

    async with open_services(scratch.settings, embedder=HashingEmbedder()) as services:
        assert len((await services.recall(user, Question(query="oak desk"))).hits) == 2


async def test_another_embedder_of_the_same_width_is_refused_too(scratch: Scratch):
    async with open_services(scratch.settings, embedder=HashingEmbedder()):
        pass

    with pytest.raises(StoreMismatchError, match=r"hashing/1.*hashing/3"):
        async with open_services(scratch.settings, embedder=HashingEmbedder(name="hashing/3")):
            pytest.fail("opened")


# Deaths


async def test_killing_the_server_among_many_writers_loses_nothing_acknowledged_and_doubles_nothing(
    scratch: Scratch, user: UserId
):
    acknowledged: dict[str, str] = {}
    async with open_services(scratch.impatient(), embedder=HashingEmbedder()) as services:
        writing = asyncio.create_task(writers.write(services, user, acknowledged.__setitem__))
        await _until(lambda: len(acknowledged) >= _ENOUGH)
        await scratch.kill()
        await writing
    await scratch.server.start()

    answers = await _write_all_again(scratch, user, acknowledged)

    assert _ENOUGH <= len(acknowledged) < writers.WRITERS * writers.EACH
    async with open_graph(scratch.settings) as graph:
        await _expect_each_once(graph, user, answers)


async def test_killing_a_client_with_many_writers_loses_nothing_acknowledged_and_doubles_nothing(
    scratch: Scratch, user: UserId
):
    neo4j = scratch.settings.neo4j
    assert neo4j.uri
    assert neo4j.password
    client = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.writers",
        neo4j.uri,
        user,
        cwd=ROOT,
        env={**os.environ, "NEO4J_PASSWORD": neo4j.password},
        stdout=subprocess.PIPE,
    )
    assert client.stdout
    acknowledged: dict[str, str] = {}
    async for line in client.stdout:
        key, memory_id = line.decode().split()
        acknowledged[key] = memory_id
        if len(acknowledged) == _ENOUGH:
            client.kill()  # what it had told by then is still read
    await client.wait()

    answers = await _write_all_again(scratch, user, acknowledged)

    assert _ENOUGH <= len(acknowledged) < writers.WRITERS * writers.EACH
    async with open_graph(scratch.settings) as graph:
        await _expect_each_once(graph, user, answers)


async def test_recalls_go_on_after_a_restart_of_the_server_in_their_middle(scratch: Scratch, user: UserId):
    answered, refused, over = 0, list[StoreError](), asyncio.Event()

    async with open_services(scratch.settings, embedder=HashingEmbedder()) as services:
        written = await services.remember(user, MemoryDraft(text="The desk in the office is oak."))
        assert written.memory

        async def ask() -> None:
            nonlocal answered
            while not over.is_set():
                try:
                    answer = await services.recall(user, Question(query="oak desk"))
                except StoreError as error:
                    refused.append(error)
                else:
                    assert [hit.memory.id for hit in answer.hits] == [written.memory.id]
                    answered += 1

        asking = [asyncio.create_task(ask()) for _ in range(8)]
        await _until(lambda: answered >= 50)
        await scratch.server.stop()
        await scratch.server.start()
        before = answered
        await _until(lambda: answered >= before + 50)
        over.set()
        await asyncio.gather(*asking)

    assert all(error.is_retryable() for error in refused)


async def _until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0.005)


async def _write_all_again(scratch: Scratch, user: UserId, acknowledged: dict[str, str]) -> dict[str, str]:
    """As clients would who do not know what became of their writes: the same again, under the same keys."""
    answers: dict[str, str] = {}
    async with open_services(scratch.settings, embedder=HashingEmbedder()) as services:
        await writers.write(services, user, answers.__setitem__)
        while await services.enrich():
            pass
    assert {key: answers[key] for key in acknowledged} == acknowledged
    return answers


async def _expect_each_once(graph: Graph, user: UserId, answers: dict[str, str]) -> None:
    rows = await graph.run(
        "MATCH (m:Memory {user_id: $user_id}) RETURN m.idempotency_key AS key, m.id AS id,"
        " COUNT { (:User)-[:OWNS]->(m) } AS owners, COUNT { (m)-[:CHANGED]->(:Change) } AS changes",
        user_id=user,
    )
    assert {row["key"]: row["id"] for row in rows} == answers
    assert sorted(row["key"] for row in rows) == sorted(writers.keys())
    assert {(row["owners"], row["changes"]) for row in rows} == {(1, 1)}
    chains = await graph.run(
        "MATCH (m:Memory {user_id: $user_id}) WITH m ORDER BY m.position"
        " WITH m.session_id AS session, collect(m.id) AS ids"
        " UNWIND range(0, size(ids) - 2) AS i"
        " RETURN session, count(*) AS neighbours,"
        " count(CASE WHEN EXISTS { (:Memory {id: ids[i]})-[:NEXT]->(:Memory {id: ids[i + 1]}) } THEN 1 END) AS linked",
        user_id=user,
    )
    assert all(row["linked"] == row["neighbours"] for row in chains)
    assert sum(row["neighbours"] for row in chains) == await graph.value(
        "RETURN COUNT { (:Memory {user_id: $user_id})-[:NEXT]->() }", user_id=user
    )


async def _tear_down(graph: Graph) -> None:
    """The graph as it is before the first start."""
    await graph.run("MATCH (n) DETACH DELETE n")
    for row in await graph.run("SHOW CONSTRAINTS YIELD name"):
        await graph.run(f"DROP CONSTRAINT {row['name']}")
    for row in await graph.run("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'"):
        await graph.run(f"DROP INDEX {row['name']}")


async def _shape(graph: Graph) -> list[tuple[Any, ...]]:
    constraints = await graph.run("SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties")
    indexes = await graph.run(
        "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, options, owningConstraint"
    )
    return sorted(tuple(map(repr, row.values())) for row in [*constraints, *indexes])


async def _ledger(graph: Graph) -> list[dict[str, Any]]:
    return await graph.run("MATCH (g:Migration) RETURN properties(g) AS entry ORDER BY g.version")
