import json
import socket

import pytest

from graph_memory.embedded.configuration import ServerPlan
from graph_memory.embedded.diagnosis import database_failure, explain, failure_message, tail
from graph_memory.embedded.ports import choose_ports, is_listening
from graph_memory.errors import ServerError


@pytest.fixture
def taken():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def _settings(tmp_path, **ports):
    return ServerPlan(home=tmp_path, cache=tmp_path, **ports)


def test_a_taken_port_that_the_user_insists_on_is_an_error(tmp_path, taken):
    assert is_listening(taken)
    with pytest.raises(ServerError, match=f"Bolt port {taken} is taken"):
        choose_ports(_settings(tmp_path, bolt_port=taken))
    with pytest.raises(ServerError, match=f"HTTP port {taken} is taken"):
        choose_ports(_settings(tmp_path, http_port=taken))


def test_one_port_cannot_serve_both(tmp_path, taken):
    with pytest.raises(ServerError, match="taken"):
        choose_ports(_settings(tmp_path, bolt_port=taken + 1, http_port=taken + 1))


def test_a_taken_default_gives_way_to_a_free_one(tmp_path, taken):
    bolt, http = choose_ports(_settings(tmp_path), preferred=(taken, taken))
    assert taken not in (bolt, http)
    assert bolt != http


def test_a_free_preferred_port_is_taken(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    assert choose_ports(_settings(tmp_path), preferred=(free, 1))[0] == free


@pytest.mark.parametrize(
    ("log", "remedy"),
    [
        ("Caused by: org.neo4j.io.locker.FileLockException: Lock file has been locked by another process", "Stop it"),
        ("java.io.IOException: No space left on device", "disk is full"),
        ("java.net.BindException: Address already in use", "port was taken"),
        ("java.lang.OutOfMemoryError: Java heap space", "memory"),
        ("java.nio.file.AccessDeniedException: /x", "writable"),
        ("java.lang.UnsupportedClassVersionError: x", "Java 21"),
        (
            "Database 'neo4j' is of a newer version than the current binaries. Downgrade is not supported.",
            "newer Neo4j",
        ),
        ("Unknown store version 'record-aligned-9.1'", "newer Neo4j"),
        ("the log files originates from a newer version of neo4j, which we don't support", "newer Neo4j"),
        ("org.neo4j.wal.entry.UnknownLogFormatException: Unable to read log version", "newer Neo4j"),
    ],
)
def test_known_failures_are_explained(log, remedy):
    assert remedy in (explain(log) or "")


def test_an_unknown_failure_is_not_explained_away():
    assert explain("java.lang.IllegalStateException: oops") is None


def test_a_failure_message_ends_with_the_log(tmp_path):
    log = tmp_path / "server.log"
    log.write_text("\n".join(f"line {number}" for number in range(100)) + "\nNo space left on device\n")
    message = failure_message("It ended.", log, lines=3)
    assert message.startswith("It ended.\nThe disk is full.")
    assert message.endswith("  line 98\n  line 99\n  No space left on device")


def test_the_tail_of_no_log_is_empty(tmp_path):
    assert tail(tmp_path / "none", 5) == []


def _debug_log(path, *entries):
    path.write_text("\n".join(json.dumps(entry) for entry in entries) + '\n{"message": "half')
    return path


BEGIN = {"message": "Logging config in use: default"}
FAILED = {
    "message": "Failed to start DatabaseId{1[neo4j]}",
    "stacktrace": "java.lang.RuntimeException: x\n\tat y\nCaused by: org.neo4j.StoreError: the true cause\n\tat z",
}


def test_why_a_database_did_not_start_is_the_innermost_cause(tmp_path):
    log = _debug_log(tmp_path / "debug.log", BEGIN, FAILED)
    assert database_failure(log) == "org.neo4j.StoreError: the true cause"


def test_a_failure_of_an_earlier_run_is_past(tmp_path):
    assert database_failure(_debug_log(tmp_path / "debug.log", BEGIN, FAILED, BEGIN)) is None
    assert database_failure(tmp_path / "none.log") is None
