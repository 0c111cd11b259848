"""The local server: started when it is needed, found again by every later process, stopped on request.

A started server is a process of its own that outlives its starter. What ties the processes together is one file in the
home that says which server runs, and one lock that whoever changes that holds. So starts at the same time end with one
server, and a server or a starter that was killed leaves nothing that needs cleaning up.
"""

import asyncio
import atexit
import os
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from graph_memory.embedded.administration import Administration
from graph_memory.embedded.artifacts import fetch
from graph_memory.embedded.class_archive import ClassArchive, share_fresh_archives
from graph_memory.embedded.command import class_path_file, server_command
from graph_memory.embedded.conf import render_conf
from graph_memory.embedded.configuration import DEFAULT_BOLT_PORT, DEFAULT_HTTP_PORT, ServerPlan
from graph_memory.embedded.diagnosis import database_failure, failure_message, tail
from graph_memory.embedded.disk import require_space, writing_to
from graph_memory.embedded.exclusive import exclusive
from graph_memory.embedded.home import ServerHome
from graph_memory.embedded.java import Java, find_java
from graph_memory.embedded.lock import SERVER_LOCK
from graph_memory.embedded.memory import machine_memory_mb, memory_sizes
from graph_memory.embedded.ports import LOOPBACK, choose_ports, is_listening
from graph_memory.embedded.probe import DATABASE, USERNAME, Probe, probe, version
from graph_memory.embedded.process import end_process
from graph_memory.embedded.progress import FetchProgress
from graph_memory.embedded.report import Connection, ServerReport, ServerStatus
from graph_memory.embedded.state import ServerState, began_at, living_pid, read_state, write_state
from graph_memory.errors import ServerError

_POLL_SECONDS = 0.1
_REFUSALS_BEFORE_GIVING_UP = 3
_SPACE_TO_START = 600_000_000  # logs of transactions, the server's own log and the archive of classes


# Servers outlive the objects that start them, and are our children until they end: kept here to be reaped then.
_children: list[subprocess.Popen[bytes]] = []


@atexit.register
def _let_live() -> None:
    """A server that outlives this process was not forgotten: Popen is kept from warning of it."""
    for child in _children:
        if child.poll() is None:
            child.returncode = 0


class EmbeddedServer:
    """The server of one home. Methods may be called from any number of processes at once."""

    def __init__(
        self,
        settings: ServerPlan,
        *,
        progress: FetchProgress | None = None,
        notify: Callable[[str], None] = lambda _message: None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """The server of `settings.home`; nothing happens yet.

        Args:
            settings: where it lives and what it may take.
            progress: told how far the fetch of missing jars is.
            notify: given a sentence for the user whenever something takes long or happens unasked.
            environment: where Java is looked up.
        """
        self._settings = settings
        self._home = ServerHome(settings.home.absolute())
        self._cache = settings.cache.absolute()
        self._progress = progress
        self._notify = notify
        self._environment = environment

    async def start(self) -> bool:
        """Makes sure that a server runs and answers queries; whether this call has started it.

        The first start on a machine fetches the jars. Raises ServerError, naming the remedy.
        """
        if self._is_known_ready():
            return False
        self._home.create()
        async with exclusive(self._home, self._notify):
            return await self._ensure_running()

    async def stop(self) -> bool:
        """Stops the server and waits until it is gone; whether there was one."""
        if not self._home.run.is_dir():
            return False
        async with exclusive(self._home, self._notify):
            return await self._stop() is not None

    async def status(self) -> ServerReport:
        """What runs; never starts, waits for or changes anything."""
        state = read_state(self._home.state)
        pid = self._living_pid(state)
        if state is None or pid is None:
            return self._report_without_server()
        answer = await self._probe(state)
        return ServerReport(
            status=ServerStatus.RUNNING if answer.ready else ServerStatus.STARTING,
            home=self._home.root,
            bolt_port=state.bolt_port,
            http_port=state.http_port,
            pid=pid,
            version=await asyncio.to_thread(version, state.http_port),
        )

    def connection(self) -> Connection:
        """How to reach the running server; raises ServerError if none runs."""
        state = read_state(self._home.state)
        if state is None or self._living_pid(state) is None:
            raise ServerError("The local server is not running. Start it with: graph-memory db start")
        return Connection(
            uri=f"bolt://{LOOPBACK}:{state.bolt_port}",
            username=USERNAME,
            password=self._home.read_password(),
            database=DATABASE,
            browser_url=f"http://{LOOPBACK}:{state.http_port}/browser/",
        )

    def logs(self, lines: int = 100) -> list[str]:
        """The last lines that the server printed in its present or latest run."""
        return tail(self._home.log, lines)

    async def dump(self, target: Path, *, overwrite: bool = False) -> None:
        """Writes the whole database to a file. A running server is stopped for it and started again."""
        if target.exists() and not overwrite:
            raise ServerError(f"{target} exists. Choose another name, or say that it may be overwritten.")
        if not target.absolute().parent.is_dir():
            raise ServerError(f"There is no folder {target.absolute().parent} to write the dump to.")
        self._require_store()
        async with exclusive(self._home, self._notify), self._stopped("dump"):
            await (await self._administration()).dump(target.absolute())

    async def load(self, source: Path, *, overwrite: bool = False) -> None:
        """Replaces the whole database by a dump. A running server is stopped for it and started again."""
        if not source.is_file():
            raise ServerError(f"There is no dump {source}.")
        if self._home.has_store and not overwrite:
            raise ServerError(
                f"There already is a database in {self._home.root}, and loading replaces it. Say that it may be "
                "overwritten."
            )
        self._home.create()
        async with exclusive(self._home, self._notify), self._stopped("load"):
            await (await self._administration()).load(source.absolute())

    # Starting

    async def _ensure_running(self, *, preferred: ServerState | None = None) -> bool:
        if self._living_pid(read_state(self._home.state)) is not None:
            failure = await self._wait_for_answer()
            if failure is None:
                return False
            if self._living_pid(read_state(self._home.state)) is not None:
                raise self._failed(failure)
            # What we found was about to end, and is gone.
        await self._launch(preferred)
        if failure := await self._wait_for_answer():
            error = self._failed(failure)
            await self._stop()
            raise error
        return True

    async def _launch(self, preferred: ServerState | None) -> None:
        java, jars = await self._prepare()
        require_space(self._home.root, _SPACE_TO_START, purpose="a running server")
        ports = (preferred.bolt_port, preferred.http_port) if preferred else (DEFAULT_BOLT_PORT, DEFAULT_HTTP_PORT)
        bolt_port, http_port = choose_ports(self._settings, preferred=ports)
        memory = memory_sizes(
            machine_memory_mb(), heap_mb=self._settings.heap_mb, page_cache_mb=self._settings.page_cache_mb
        )
        with writing_to(self._home.root):
            self._home.conf.write_text(render_conf(bolt_port=bolt_port, http_port=http_port, memory=memory), "utf-8")
        await self._ensure_password(java)
        archive = ClassArchive(self._cache, self._home, java, class_path_file(jars))
        command = server_command(java, self._home, memory, archive.flags())
        with writing_to(self._home.run):
            # First without a process, so that a server whose starter dies this moment is known with its ports.
            state = ServerState(bolt_port=bolt_port, http_port=http_port)
            write_state(self._home.state, state)
            pid = self._spawn(command)
            write_state(self._home.state, replace(state, pid=pid, began_at=began_at(pid)))

    async def _prepare(self) -> tuple[Java, list[Path]]:
        """Java and the jars, fetched if need be; writes the class path down for both commands."""
        java = await asyncio.to_thread(find_java, self._environment, self._home.known_javas)
        cancelled = threading.Event()
        try:
            jars = await asyncio.to_thread(fetch, SERVER_LOCK, self._cache, self._progress, cancelled=cancelled)
        except asyncio.CancelledError:
            cancelled.set()  # a thread cannot be interrupted, only asked
            raise
        with writing_to(self._home.run):
            self._home.arguments.write_text(class_path_file(jars), "utf-8")
        return java, jars

    async def _ensure_password(self, java: Java) -> None:
        if self._home.has_store:
            self._home.read_password()  # says so now if it is missing, not as a refusal later
            return
        # Also if a first start was broken off: until there is a store the password may be set as often as we like.
        password = self._home.generate_password()
        await Administration(java, self._home, self._settings.admin_timeout_seconds).set_initial_password(password)

    def _spawn(self, command: list[str]) -> int:
        """Starts the server in a session of its own: neither our end nor a Ctrl-C at our terminal reaches it."""
        if self._home.log.exists():
            self._home.log.replace(self._home.log.with_name("server.previous.log"))
        with self._home.log.open("wb") as log:
            child = subprocess.Popen(
                command,
                cwd=self._home.root,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        _children.append(child)
        return child.pid

    def _failed(self, failure: "_Failure") -> ServerError:
        return ServerError(failure_message(failure.text, self._home.log, complaint=failure.complaint))

    async def _wait_for_answer(self) -> "_Failure | None":
        """None once the server answers; else how it failed."""
        deadline = time.monotonic() + self._settings.start_timeout_seconds
        refusals, answer = 0, Probe(ready=False)
        while time.monotonic() < deadline:
            state = read_state(self._home.state)
            if state is None or self._living_pid(state) is None:
                self._home.state.unlink(missing_ok=True)
                return _Failure("The local server ended while it was starting.")
            answer = await self._probe(state)
            if answer.ready:
                self._note_ready(state)
                return None
            refusals += answer.refused_password
            if refusals >= _REFUSALS_BEFORE_GIVING_UP:
                return _Failure(self._wrong_password(), answer.complaint)
            if answer.complaint and (cause := database_failure(self._home.debug_log)):
                return _Failure("The local server runs, but its database does not.", cause)
            await asyncio.sleep(1.0 if answer.complaint else _POLL_SECONDS)
        return _Failure(
            f"The local server did not answer within {self._settings.start_timeout_seconds:g} s.", answer.complaint
        )

    def _note_ready(self, state: ServerState) -> None:
        pid = self._living_pid(state)
        if pid is not None:
            with writing_to(self._home.run):
                write_state(self._home.state, replace(state, pid=pid, began_at=began_at(pid), ready=True))

    def _wrong_password(self) -> str:
        return (
            f"The local server refuses the password in {self._home.password}. It was changed in the database: "
            "write the present one into that file."
        )

    # Stopping

    async def _stop(self) -> ServerState | None:
        """Stops the server; the state that it had, or None if none ran."""
        state = read_state(self._home.state)
        pid = self._living_pid(state)
        if pid is not None and await end_process(pid, self._settings.stop_timeout_seconds, self._notify):
            share_fresh_archives(self._cache, self._home)
        self._reap()
        self._home.state.unlink(missing_ok=True)
        return state if pid is not None else None

    @asynccontextmanager
    async def _stopped(self, purpose: str) -> AsyncIterator[None]:
        """Holds the server stopped, and starts it again if it ran, on the same ports. The lock must be held."""
        if self._living_pid(read_state(self._home.state)) is not None:
            self._notify(f"Stopping the server for the {purpose}; it is started again afterwards.")
        before = await self._stop()
        try:
            yield
        finally:
            if before is not None:
                await self._ensure_running(preferred=before)
                self._notify("The server runs again.")

    # Looking

    async def _administration(self) -> Administration:
        java, _jars = await self._prepare()
        if not self._home.conf.exists():
            with writing_to(self._home.root):
                self._home.conf.touch()
        return Administration(java, self._home, self._settings.admin_timeout_seconds)

    def _require_store(self) -> None:
        if not self._home.has_store:
            raise ServerError(f"There is no database in {self._home.root} yet. Start the server once to make one.")

    def _living_pid(self, state: ServerState | None) -> int | None:
        self._reap()
        return living_pid(self._home, state)

    def _is_known_ready(self) -> bool:
        state = read_state(self._home.state)
        return (
            state is not None and state.ready and self._living_pid(state) == state.pid and is_listening(state.bolt_port)
        )

    async def _probe(self, state: ServerState) -> Probe:
        password = self._home.read_password()
        return await asyncio.to_thread(probe, bolt_port=state.bolt_port, http_port=state.http_port, password=password)

    def _report_without_server(self) -> ServerReport:
        bolt_port = self._settings.bolt_port or DEFAULT_BOLT_PORT
        return ServerReport(
            status=ServerStatus.FOREIGN if is_listening(bolt_port) else ServerStatus.STOPPED,
            home=self._home.root,
            bolt_port=bolt_port,
            http_port=self._settings.http_port or DEFAULT_HTTP_PORT,
        )

    def _reap(self) -> None:
        _children[:] = [child for child in _children if child.poll() is None]


@dataclass(frozen=True, slots=True)
class _Failure:
    """How a start failed: in a sentence of ours, and in the server's own words if it had any."""

    text: str
    complaint: str = ""
