"""One recall is one statement and one round trip; its plan holds no scan and looks at nobody else's memories."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import neo4j
import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import LinkType
from graph_memory.domain.vocabulary import UserId
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.stores.recall import Neo4jRecallStore
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.integration.channels import with_channels
from tests.integration.graph import Graph
from tests.plans import Operator, operators, profiled

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
EVERYTHING = Question(query="Why did Ana sell the oak desk on 2 April 2031?", k=3)
STRANGERS = 300
_STATEMENT = "recall/recall"
_COUNT_FOUND = """
CALL db.index.fulltext.queryNodes('memory_text_fulltext', $words, {limit: 100000}) YIELD node
WITH node.user_id = $owner AS owned
RETURN sum(CASE WHEN owned THEN 1 ELSE 0 END) AS own, sum(CASE WHEN owned THEN 0 ELSE 1 END) AS others
"""


@dataclass
class Line:
    """A wire to the server that counts how often the client speaks after it was answered."""

    address: tuple[str, int]
    turns: int = 0
    _answered: bool = True
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection(*self.address)
        self._open |= {writer, server_writer}
        await asyncio.gather(self._ask(reader, server_writer), self._answer(server_reader, writer))

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65_536):
            self.turns += self._answered
            self._answered = False
            writer.write(piece)
            await writer.drain()
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65_536):
            self._answered = True
            writer.write(piece)
            await writer.drain()
        writer.close()

    async def hang_up(self) -> None:
        for writer in self._open:
            writer.close()
            await writer.wait_closed()


@asynccontextmanager
async def _on_a_line(settings: Settings) -> AsyncIterator[tuple[Settings, Line]]:
    """Settings that reach the same server over a line that counts."""
    server = urlsplit(settings.neo4j.uri or "")
    line = Line((server.hostname or "", server.port or 0))
    listener = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    neo4j_settings = replace(settings.neo4j, uri=f"bolt://127.0.0.1:{port}")
    async with listener:
        yield replace(settings, neo4j=neo4j_settings), line
        await line.hang_up()


@dataclass
class Sent:
    """What went through the driver: the query file of each statement, and how many transactions were begun."""

    statements: list[str] = field(default_factory=list)
    transactions: int = 0


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Counts what the driver is given from now on."""
    sent, run, begin = Sent(), neo4j.AsyncSession.run, neo4j.AsyncSession.begin_transaction

    async def counted_run(session: neo4j.AsyncSession, query: Any, *args: Any, **more: Any) -> Any:
        sent.statements.append(query.metadata["query"] if isinstance(query, neo4j.Query) else str(query))
        return await run(session, query, *args, **more)

    async def counted_begin(session: neo4j.AsyncSession, *args: Any, **more: Any) -> Any:
        sent.transactions += 1
        return await begin(session, *args, **more)

    monkeypatch.setattr(neo4j.AsyncSession, "run", counted_run)
    monkeypatch.setattr(neo4j.AsyncSession, "begin_transaction", counted_begin)
    return sent


async def _desk(services: Services, user: UserId) -> None:
    """Memories of which one recall needs every feature: a session, a person, dates, links, the general bucket."""
    told = [
        ("Ana sold the oak desk because the room was damp.", {"speaker": "Ana", "session_id": "s-1"}),
        ("Did it fetch a good price?", {"speaker": "Bruno", "session_id": "s-1"}),
        ("The room had flooded twice that winter.", {"speaker": "Ana", "session_id": "s-2"}),
        ("Ana likes oak.", {"general": True}),
        ("Ana is allergic to dust.", {"general": True}),
    ]
    memories = []
    for number, (text, facts) in enumerate(told):
        draft = MemoryDraft(text=text, occurred_at=NOON - timedelta(days=29 + number), curate=False, **facts)
        memories.append((await services.remember(user, draft, wait=True)).memory)
    assert memories[0] and memories[2]
    await services.links.link(user, LinkType.LEADS_TO, memories[2].id, memories[0].id, weight=0.9)


async def test_a_recall_with_everything_is_one_statement_and_one_round_trip_before_the_answer(
    migrated_settings: Settings, graph: Graph, user: UserId, sent: Sent
):
    held = replace(migrated_settings, recall=replace(migrated_settings.recall, names_refresh_seconds=3_600.0))
    async with (
        _on_a_line(held) as (settings, line),
        open_services(settings, embedder=HashingEmbedder(), clock=FixedClock(NOON)) as services,
    ):
        await _desk(services, user)
        await services.recall(user, replace(EVERYTHING, reinforce=False))  # the user's names and settings are held now
        await services.aftermath.settled()
        sent.statements.clear()
        sent.transactions, line.turns = 0, 0

        answer = await services.recall(user, EVERYTHING)
        before = (list(sent.statements), sent.transactions, line.turns)
        kept_before = await _receipts(graph, answer.receipt_id)
        await services.aftermath.settled()

        assert before == ([_STATEMENT], 0, 1)
        assert (kept_before, await _receipts(graph, answer.receipt_id)) == (0, 1)
        assert answer.hits and answer.overlay
        assert any(hit.path for hit in answer.hits)
        assert {"date", "subject"} <= {part.name for hit in answer.hits for part in hit.parts}


async def test_a_recall_without_the_overlay_is_one_statement_too(
    services: Services, graph: Graph, user: UserId, sent: Sent
):
    await _desk(services, user)
    for _ in range(2):
        sent.statements.clear()
        answer = await services.recall(user, replace(EVERYTHING, general=False, reinforce=False))
        asked = list(sent.statements)
        await services.aftermath.settled()

    assert asked == [_STATEMENT]
    assert answer.overlay == ()


@pytest.fixture
async def profile(services: Services, migrated_settings: Settings, user: UserId, other_user: UserId) -> list[Operator]:
    """The operators of one recall of the user, every look-up on, while another has told the same words very often."""
    every = with_channels(migrated_settings, context_vector=1.0)
    async with open_services(every, embedder=HashingEmbedder(), clock=FixedClock(NOON)) as opened:
        await _desk(opened, user)
    words = "Ana sold the oak desk because the room was damp"
    drafts = [
        MemoryDraft(text=f"{words} {number}", general=number % 2 == 0, curate=False) for number in range(STRANGERS)
    ]
    assert len((await services.remember.many(other_user, drafts)).results) == STRANGERS
    query = await services.recall.analysed(user, EVERYTHING)
    params = Neo4jRecallStore(services.connection, every).params(user, query, at=services.clock.now())
    return list(operators(await profiled(migrated_settings, _STATEMENT, params)))


async def test_no_plan_scans_and_every_look_up_carries_the_owner_into_its_index(profile: list[Operator]):
    look_ups = [each for each in profile if each.name in ("NodeVectorIndexSearch", "NodeIndexSeek")]

    assert [each.name for each in profile if "Scan" in each.name] == []
    assert len([each for each in look_ups if each.name == "NodeVectorIndexSearch"]) == 4  # plainly, or narrowed
    assert all("user_id = $given.user_id" in each.details for each in look_ups)


async def test_no_operator_sees_a_row_of_another_user(profile: list[Operator]):
    """Five memories are the user's, and they are looked up for the answer and for its overlay."""
    most = 5 * 2
    vectors = [each.rows for each in profile if each.name == "NodeVectorIndexSearch"]
    [words] = [each.parent for each in profile if each.name.startswith("ProcedureCall")]

    assert len([rows for rows in vectors if rows]) == 2  # nothing is narrowed here
    assert all(rows <= most for rows in vectors)
    assert words is not None
    assert 0 < words.rows <= most * 2  # the text alone, and its neighbours


async def test_a_recall_holds_little_however_many_rows_are_wanted(
    services: Services, migrated_settings: Settings, other_user: UserId, profile: list[Operator]
):
    """A sort that keeps the lists of the statement for each of its rows holds a hundred times as much."""
    store = Neo4jRecallStore(services.connection, services.settings)
    query = await services.recall.analysed(other_user, EVERYTHING)

    for k, most in ((10, 20_000_000), (100, 60_000_000)):
        params = store.params(other_user, replace(query, k=k), at=services.clock.now())
        held = (await profiled(migrated_settings, _STATEMENT, params))["args"]["GlobalMemory"]
        assert 0 < held < most


async def test_the_words_that_are_sought_bring_no_row_of_another_user(
    services: Services, graph: Graph, user: UserId, other_user: UserId, profile: list[Operator]
):
    query = await services.recall.analysed(user, EVERYTHING)
    params = Neo4jRecallStore(services.connection, services.settings).params(user, query, at=services.clock.now())
    sought = [scope[name] for scope in params["scopes"] for name in ("text_query", "context_query")]

    found = [(await graph.run(_COUNT_FOUND, words=words, owner=user))[0] for words in sought]
    [unowned] = await graph.run(_COUNT_FOUND, words="search_text:(oak desk)", owner=user)

    assert [row["others"] for row in found] == [0] * len(sought)
    assert found[0]["own"] > 0
    assert unowned["others"] >= STRANGERS  # who left the owner out would find them all


async def _receipts(graph: Graph, receipt_id: str) -> Any:
    return await graph.value("MATCH (r:Receipt {id: $id}) RETURN count(r)", id=receipt_id)
