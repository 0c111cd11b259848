"""Callers: of the GraphQL API on the real application without a socket between, and of the commands."""

from collections.abc import AsyncIterator

import httpx
import pytest
from typer.testing import CliRunner, Result

from api.app import create_app
from graph_memory.bootstrap import Services
from graph_memory.cli.app import app
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from tests.api.caller import Caller
from tests.api.commands import Run, environment


@pytest.fixture
async def http(services: Services) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the application."""
    transport = httpx.ASGITransport(create_app(services))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        yield client


@pytest.fixture
def call(http: httpx.AsyncClient, user: UserId) -> Caller:
    """Sends operations as this test's user."""
    return Caller(http, user)


@pytest.fixture
def call_as_other(http: httpx.AsyncClient, other_user: UserId) -> Caller:
    """Sends operations as another user."""
    return Caller(http, other_user)


@pytest.fixture
def cli(settings: Settings, user: UserId) -> Run:
    """Runs a command for a user of its own."""

    def run(*words: str, owner: str = user, typed: str | None = None) -> Result:
        return CliRunner().invoke(app, [*words, "--user", owner], input=typed, env=environment(settings))

    return run
