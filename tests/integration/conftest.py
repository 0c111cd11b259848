"""The product on a clock of the test's own, and the graph itself, for tests that look behind the product's back."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.integration.graph import Graph, open_graph


@pytest.fixture(scope="session")
def migrated_settings(server_settings: Settings) -> Settings:
    """Settings of the shared server, once its graph has its shape."""

    async def migrate() -> None:
        async with open_services(server_settings, embedder=HashingEmbedder()):
            pass

    asyncio.run(migrate())
    return server_settings


@pytest.fixture
async def graph(migrated_settings: Settings) -> AsyncIterator[Graph]:
    """The shared server's graph, read and written without the product."""
    async with open_graph(migrated_settings) as graph:
        yield graph


@pytest.fixture
async def timed(settings: Settings, clock: FixedClock) -> AsyncIterator[Services]:
    """The product on a clock that stands until the test moves it."""
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as services:
        yield services
