"""Opening the product for one command, and saying so when that takes a while."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from graph_memory.bootstrap import Services, local_server, open_services
from graph_memory.cli.console import note
from graph_memory.cli.progress import FetchBar
from graph_memory.embedded.server import EmbeddedServer
from graph_memory.errors import ServerError
from graph_memory.settings import Settings

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """What the work of a command gives; each command has one event loop."""
    return asyncio.run(work)


@asynccontextmanager
async def opened(settings: Settings | None = None) -> AsyncIterator[Services]:
    """The product on its database, which is started if need be and stays up."""
    settings = settings or Settings.from_environment()
    await start_local(settings)
    async with open_services(settings, progress=FetchBar(), notify=note) as services:
        yield services


async def start_local(settings: Settings) -> bool:
    """Makes sure that the local server runs if it is the one to use; whether this call has started it."""
    if settings.neo4j.uri is not None:
        return False
    server = the_local_server(settings)
    if not _runs(server):
        note("Starting the local database …")
    return await server.start()


def the_local_server(settings: Settings) -> EmbeddedServer:
    """The local server, with its progress and notes on this terminal."""
    return local_server(settings, progress=FetchBar(), notify=note)


def _runs(server: EmbeddedServer) -> bool:
    try:
        server.connection()
    except ServerError:
        return False
    return True
