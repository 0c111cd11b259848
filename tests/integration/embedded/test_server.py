"""The local server for real: one scratch home for the module, started, killed, dumped and loaded."""

import asyncio
import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from graph_memory.embedded import server as server_module
from graph_memory.embedded.configuration import ServerPlan
from graph_memory.embedded.home import ServerHome
from graph_memory.embedded.report import ServerStatus
from graph_memory.embedded.server import EmbeddedServer
from graph_memory.embedded.state import ServerState, began_at, find_pid, read_state, write_state
from graph_memory.errors import ServerError

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

# Shared by all test runs of the user: the jars are 176 MB, verified at every use.
CACHE = Path(os.environ.get("GRAPH_MEMORY_TEST_CACHE", Path(tempfile.gettempdir()) / "graph-memory-test-cache"))

# Foreign if some other Neo4j of this machine has the default port.
_NOT_RUNNING = (ServerStatus.STOPPED, ServerStatus.FOREIGN)

_START_IN_ANOTHER_PROCESS = """
import asyncio, sys
from pathlib import Path
from graph_memory.embedded.configuration import ServerPlan
from graph_memory.embedded import server as server_module
from graph_memory.embedded.server import EmbeddedServer

settings = ServerPlan(Path(sys.argv[1]), Path(sys.argv[2]), heap_mb=512, page_cache_mb=64)
print(asyncio.run(EmbeddedServer(settings).start()))
"""


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    home = tmp_path_factory.mktemp("server") / "home"
    return ServerPlan(home=home, cache=CACHE, heap_mb=512, page_cache_mb=64)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(settings):
    server = EmbeddedServer(settings)
    yield server
    await server.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def running(server):
    await server.start()
    return server


def _query(server, statement, **parameters):
    connection = server.connection()
    port = int(connection.browser_url.split(":")[2].split("/")[0])
    credentials = b64encode(f"{connection.username}:{connection.password}".encode()).decode()
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    body = json.dumps({"statement": statement, "parameters": parameters})
    headers = {"Content-Type": "application/json", "Authorization": f"Basic {credentials}", "Connection": "close"}
    client.request("POST", f"/db/{connection.database}/query/v2", body, headers)
    answer = json.loads(client.getresponse().read())
    assert "errors" not in answer, answer
    return answer["data"]["values"]


async def test_two_processes_that_start_at_once_end_with_one_server(server, settings):
    command = [sys.executable, "-c", _START_IN_ANOTHER_PROCESS, str(settings.home), str(settings.cache)]
    starters = [await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE) for _ in range(2)]
    said = [(await starter.communicate())[0].decode().strip() for starter in starters]
    assert sorted(said) == ["False", "True"]
    serving = [process for process in psutil.process_iter() if f"--home-dir={settings.home}" in _arguments(process)]
    assert len(serving) == 1
    # It has outlived both of its starters, and this third process finds it.
    assert await server.start() is False
    report = await server.status()
    assert (report.status, report.pid) == (ServerStatus.RUNNING, serving[0].pid)
    assert report.version == "2026.09.0"


def _arguments(process):
    try:
        return process.cmdline()
    except psutil.Error:
        return []


async def test_only_the_owner_can_read_the_password_and_no_list_of_processes_shows_it(running, settings):
    home = ServerHome(settings.home)
    assert stat.S_IMODE(home.password.stat().st_mode) == 0o600
    password = running.connection().password
    assert len(password) >= 32
    assert password not in repr(running.connection())
    assert not any(password in part for part in psutil.Process(find_pid(home)).cmdline())


async def test_every_port_is_on_loopback(running, settings):
    process = psutil.Process(find_pid(ServerHome(settings.home)))
    listening = [each.laddr.ip for each in process.net_connections("tcp") if each.status == psutil.CONN_LISTEN]
    assert listening
    assert {ip.removeprefix("::ffff:") for ip in listening} == {"127.0.0.1"}


async def test_queries_are_answered_in_cypher_25(running):
    assert _query(running, "RETURN 1 + $n AS sum", n=2) == [[3]]
    assert _query(running, "WHEN true THEN RETURN 25 AS cypher") == [[25]]


async def test_neo4j_browser_is_served(running):
    port = int(running.connection().browser_url.split(":")[2].split("/")[0])
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    client.request("GET", "/browser/", headers={"Connection": "close"})
    response = client.getresponse()
    assert response.status == 200
    assert b"<html" in response.read()


async def test_the_log_can_be_read(running):
    assert any("Started" in line for line in running.logs(50))
    assert len(running.logs(2)) == 2


async def test_a_server_whose_state_was_lost_with_its_starter_is_found_again(running, settings):
    home = ServerHome(settings.home)
    state = read_state(home.state)
    home.state.write_text(json.dumps({"bolt_port": state.bolt_port, "http_port": state.http_port}))
    assert await running.start() is False
    assert read_state(home.state) == state


async def test_a_store_that_another_process_uses_is_said_to_be(running, settings):
    home = ServerHome(settings.home)
    hidden = home.state.rename(home.state.with_name("hidden"))
    try:
        # A start that sees neither the state nor the process, as from another machine on a shared disk.
        twin = EmbeddedServer(settings)
        elders = list(server_module._children)
        twin._living_pid = lambda state: next(
            (child.pid for child in server_module._children if child not in elders and child.poll() is None), None
        )
        with pytest.raises(ServerError, match="Another process uses this data"):
            await twin.start()
    finally:
        hidden.rename(home.state)
    assert (await running.status()).status is ServerStatus.RUNNING


async def test_a_dump_is_loaded_back_and_the_server_runs_again_at_the_same_address(running, tmp_path):
    dump = tmp_path / "memories.dump"
    _query(running, "CREATE (:Scratch {name: 'in the dump'})")
    address = running.connection().uri
    await running.dump(dump)
    assert dump.stat().st_size > 0
    assert [file.name for file in tmp_path.iterdir()] == ["memories.dump"]
    _query(running, "CREATE (:Scratch {name: 'after the dump'})")
    with pytest.raises(ServerError, match="exists"):
        await running.dump(dump)
    with pytest.raises(ServerError, match="loading replaces it"):
        await running.load(dump)
    await running.load(dump, overwrite=True)
    names = [name for [name] in _query(running, "MATCH (s:Scratch) RETURN s.name")]
    assert "in the dump" in names
    assert "after the dump" not in names
    assert running.connection().uri == address


async def test_a_killed_server_is_noticed_and_starts_again_with_its_data(running, settings):
    _query(running, "CREATE (:Scratch {name: 'before the kill'})")
    home = ServerHome(settings.home)
    pid = find_pid(home)
    os.kill(pid, signal.SIGKILL)
    while began_at(pid) is not None:  # a dying process loses its command line before it is gone
        await asyncio.sleep(0.05)
    assert (await running.status()).status in _NOT_RUNNING
    with pytest.raises(ServerError, match="not running"):
        running.connection()
    assert await running.start() is True
    assert find_pid(home) != pid
    assert ["before the kill"] in _query(running, "MATCH (s:Scratch) RETURN s.name")


async def test_a_start_beside_a_dying_server_starts_a_new_one(running, settings):
    home = ServerHome(settings.home)
    await running.stop()
    dying = await asyncio.create_subprocess_exec("sleep", "1")
    write_state(home.state, ServerState(bolt_port=1, http_port=2, pid=dying.pid, began_at=began_at(dying.pid)))
    assert await running.start() is True
    assert find_pid(home) not in (None, dying.pid)
    assert await dying.wait() == 0


async def test_a_file_that_is_no_dump_leaves_the_server_running(running, tmp_path):
    (tmp_path / "no.dump").write_text("nothing of the kind")
    with pytest.raises(ServerError, match="Could not load into the database"):
        await running.load(tmp_path / "no.dump", overwrite=True)
    assert (await running.status()).status is ServerStatus.RUNNING


async def test_a_password_that_the_server_refuses_is_said_to_be(running, settings):
    home = ServerHome(settings.home)
    right = home.read_password()
    state = read_state(home.state)
    home.password.write_text("wrong\n")
    home.state.write_text(json.dumps({"bolt_port": state.bolt_port, "http_port": state.http_port}))
    try:
        with pytest.raises(ServerError, match="refuses the password"):
            await running.start()
    finally:
        home.password.write_text(right + "\n")
    assert find_pid(home)  # a server that we found running is not ours to stop


async def test_data_of_a_newer_neo4j_are_refused_with_the_cause_and_nothing_left_running(running, settings):
    await running.stop()
    home = ServerHome(settings.home)
    log = home.data / "transactions" / "neo4j" / "neostore.transaction.db.0"
    content = log.read_bytes()
    log.write_bytes(b"\x7f" + content[1:])  # the version of the log's format
    try:
        with pytest.raises(ServerError, match="written by a newer Neo4j"):
            await running.start()
        assert find_pid(home) is None
    finally:
        log.write_bytes(content)


async def test_a_port_that_the_user_insists_on_and_that_is_taken_is_an_error(settings, tmp_path):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        server = EmbeddedServer(replace(settings, home=tmp_path / "home", bolt_port=port))
        assert (await server.status()).status is ServerStatus.FOREIGN
        with pytest.raises(ServerError, match=f"Bolt port {port} is taken"):
            await server.start()
    assert (await server.status()).status is ServerStatus.STOPPED


async def test_a_stopped_server_is_gone_and_says_so(running, settings):
    assert await running.stop() is True
    assert find_pid(ServerHome(settings.home)) is None
    assert (await running.status()).status in _NOT_RUNNING
    assert await running.stop() is False
