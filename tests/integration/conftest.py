"""The graph itself, for tests that look behind the product's back."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from graph_memory.bootstrap import open_services
from graph_memory.settings import Settings
from graph_memory.testing import HashingEmbedder
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
