"""A server of a test's own, which may be killed."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from graph_memory.bootstrap import local_server
from graph_memory.settings import EmbeddedSettings, Neo4jSettings, Settings

if TYPE_CHECKING:
    from graph_memory.embedded.server import EmbeddedServer

_HEAP_MB, _PAGE_CACHE_MB = 512, 128


@dataclass(frozen=True, slots=True)
class Scratch:
    """The server, and settings that reach it. Its ports stay the same over restarts."""

    server: "EmbeddedServer"
    settings: Settings

    async def kill(self) -> None:
        """Ends the server as a power cut would."""
        pid = (await self.server.status()).pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    def impatient(self) -> Settings:
        """Settings of a caller who hears of a lost server at once instead of being served after its return."""
        return replace(self.settings, neo4j=replace(self.settings.neo4j, retry_seconds=0.2))


def scratch_server(home: Path) -> "EmbeddedServer":
    """A server that nobody else knows, not yet started. Raises ServerError when its parts are not installed."""
    return local_server(_settings(home))


def started(server: "EmbeddedServer", home: Path) -> Scratch:
    """The scratch server once it runs."""
    local = server.connection()
    address = Neo4jSettings(uri=local.uri, username=local.username, password=local.password)
    return Scratch(server, replace(_settings(home), neo4j=address))


_ports: dict[Path, tuple[int, int]] = {}


def _settings(home: Path) -> Settings:
    bolt_port, http_port = _ports.setdefault(home, _free_ports())
    return replace(
        Settings.from_environment({}),
        home=home,
        cache=Settings.from_environment().cache,
        embedded=EmbeddedSettings(
            bolt_port=bolt_port, http_port=http_port, heap_mb=_HEAP_MB, page_cache_mb=_PAGE_CACHE_MB
        ),
    )


def _free_ports() -> tuple[int, int]:
    with _listener() as first, _listener() as second:
        return first, second


@contextmanager
def _listener() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield int(listener.getsockname()[1])
