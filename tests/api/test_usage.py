"""What a language model cost, told by every face."""

import asyncio
from dataclasses import replace
from datetime import date

import httpx
import pytest
from typer.testing import CliRunner

from api.app import create_app
from graph_memory import GraphMemory, Settings
from graph_memory.bootstrap import Services, open_services
from graph_memory.cli.app import app
from graph_memory.domain.asked import Question
from graph_memory.domain.model_usage import BookedUse, Tokens, Use
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import ModelSettings
from graph_memory.stores.model_usage import Neo4jModelLedger
from graph_memory.testing import HashingEmbedder
from tests.api.caller import Caller
from tests.api.commands import Run, document, environment

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


NOBODY = "http://127.0.0.1:9"  # where no model answers: a dry run asks none
DRY = """
mutation($beat: Beat!) {
  sleep(beat: $beat, dryRun: true) { status notes estimate { calls inputTokens outputTokens cost byOperation } }
}
"""


async def test_graphql_tells_what_a_dry_run_of_sleep_would_cost(
    settings: Settings, user: UserId, call: Caller, services: Services
):
    for text in ("Ana rows the blue boat.", "Ana rows the blue boat home."):
        await call.remember(text)
    while await services.enrich():
        pass
    free = (await call(DRY, beat="LINK")).data["sleep"]
    paid = replace(settings, model=ModelSettings(name="claude", api_key="a-key", base_url=NOBODY))
    async with open_services(paid, embedder=HashingEmbedder()) as services:
        transport = httpx.ASGITransport(create_app(services))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            told = (await Caller(client, user)(DRY, beat="LINK")).data["sleep"]

    assert free["estimate"] is None
    assert told["status"] == "DONE"
    assert (told["estimate"]["calls"], set(told["estimate"]["byOperation"])) == (1, {"links"})
    assert min(told["estimate"][name] for name in ("inputTokens", "outputTokens", "cost")) > 0


def test_the_command_tells_what_a_dry_run_of_sleep_would_cost(settings: Settings, user: UserId, cli: Run):
    for text in ("Ana rows the blue boat.", "Ana rows the blue boat home."):
        document(cli("remember", text, "--wait", "--json"))
    claude = {
        "GRAPH_MEMORY_MODEL__NAME": "claude",
        "GRAPH_MEMORY_MODEL__BASE_URL": NOBODY,
        "ANTHROPIC_API_KEY": "a-key",
    }
    words = ["sleep", "--beat", "link", "--dry-run", "--user", user]

    free = document(cli("sleep", "--beat", "link", "--dry-run", "--json"))
    shown = CliRunner().invoke(app, words, env=environment(settings) | claude)
    told = document(CliRunner().invoke(app, [*words, "--json"], env=environment(settings) | claude))

    assert free["estimate"] is None
    assert "Calls of a model, at most: 1 (links 1), " in " ".join(shown.stdout.split())
    assert told["estimate"]["total"]["calls"] == 1
    assert told["estimate"]["total"]["cost"] > 0
