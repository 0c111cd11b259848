"""What a language model cost, told by every face."""

import asyncio
from datetime import date

import pytest

from graph_memory import GraphMemory, Settings
from graph_memory.bootstrap import open_services
from graph_memory.domain.asked import Question
from graph_memory.domain.model_usage import BookedUse, Tokens, Use
from graph_memory.domain.vocabulary import UserId
from graph_memory.stores.model_usage import Neo4jModelLedger
from graph_memory.testing import HashingEmbedder
from tests.api.caller import Caller
from tests.api.commands import Run, document

USAGE = "query($since: DateTime) { usage(since: $since) { calls inputTokens outputTokens cost byOperation } }"
ONE = Use(calls=1, failures=2, tokens=Tokens(input=30, output=4, cache_read=5, cache_write=6), cost=0.25)


@pytest.fixture
def booked(settings: Settings, user: UserId) -> None:
    async def book() -> None:
        async with open_services(settings, embedder=HashingEmbedder()) as services:
            ledger = Neo4jModelLedger(services.connection)
            for day in (date(2031, 5, 1), date(2031, 5, 2)):
                await ledger.book(BookedUse(user_id=user, day=day, question=Question.DISTIL, model="small", use=ONE))

    asyncio.run(book())


@pytest.mark.usefixtures("booked")
async def test_graphql_tells_calls_tokens_and_dollars(call: Caller, call_as_other: Caller):
    usage = (await call(USAGE, since="2031-05-02T18:00:00+02:00")).data["usage"]

    assert usage == {
        "calls": 1,
        "inputTokens": 41,
        "outputTokens": 4,
        "cost": 0.25,
        "byOperation": {
            "distil": {
                "calls": 1,
                "failures": 2,
                "inputTokens": 41,
                "cachedTokens": 5,
                "outputTokens": 4,
                "cost": 0.25,
            }
        },
    }
    assert (await call(USAGE)).data["usage"]["calls"] == 2
    assert (await call_as_other(USAGE)).data["usage"]["calls"] == 0


@pytest.mark.usefixtures("booked")
async def test_the_client_tells_the_same(settings: Settings, user: UserId):
    async with GraphMemory.connect(user_id=user, settings=settings, embedder=HashingEmbedder()) as memory:
        report = await memory.usage()

    assert report.total == ONE + ONE


@pytest.mark.usefixtures("booked")
def test_the_command_prints_a_table_or_json(cli: Run):
    shown, told = cli("usage"), document(cli("usage", "--since", "2031-05-02", "--json"))

    assert "distil" in shown.stdout
    assert "0.5000" in shown.stdout
    assert told["total"]["calls"] == 1
    assert told["by_question"]["distil"]["tokens"]["cache_read"] == 5
