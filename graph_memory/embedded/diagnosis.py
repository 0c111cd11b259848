"""Reads a server's logs and says what is wrong and what to do about it.

There are two: what the server prints, and its `debug.log`, where alone the cause stands when the server runs and its
database does not.
"""

import json
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path

_RUN_BEGINS = "Logging config in use"
_DATABASE_FAILED = "Failed to start DatabaseId"
_DEBUG_LINES = 2_000
_SEARCHED_LINES = 400

_KNOWN_FAILURES: tuple[tuple[str, str], ...] = (
    (
        r"StoreLock(ed)?Exception|Lock file has been locked by another process|FileLockException|"
        r"(?<!Address )already in use",
        "Another process uses this data. Stop it (a second graph-memory with the same home, or a Neo4j of your own), "
        "or choose another home with GRAPH_MEMORY_HOME.",
    ),
    (
        r"No space left on device|There is not enough space on the disk|Disk quota exceeded|"
        r"not enough (disk )?space|insufficient (disk )?space",
        "The disk is full. Make room, then start again: what was committed is safe.",
    ),
    (
        r"Address already in use|PortBindException|BindException",
        "A port was taken by another program in the moment of starting. Start again.",
    ),
    (
        r"newer (version|than)|(later|future) (version|Neo4j)|Unsupported (kernel|log|store) (log )?version|"
        r"Unknown (store|kernel) version|UnknownLogFormatException|"
        r"Unrecognized (log|store) format|[Dd]owngrad|UnsupportedLogVersionException|"
        r"UnsupportedSystemGraphVersion|cannot be (read|opened) by this version",
        "The data were written by a newer Neo4j than this one. Upgrade graph-memory, or load a dump made before.",
    ),
    (
        r"OutOfMemoryError|Cannot allocate memory|Could not reserve enough space|insufficient memory|"
        r"Invalid maximum heap",
        "There is not enough memory for the server. Close other programs, or set a smaller heap and page cache.",
    ),
    (
        r"AccessDeniedException|Permission denied|ReadOnlyFileSystem|Read-only file system",
        "The server may not write to its home. Make the folder writable for you, or choose another one with "
        "GRAPH_MEMORY_HOME.",
    ),
    (
        r"UnsupportedClassVersionError|Unrecognized option|Could not create the Java Virtual Machine|"
        r"Module .* not found",
        "This Java cannot run the server. Point JAVA_HOME at another Java 21 or newer.",
    ),
)


def explain(log: str) -> str | None:
    """What a person can do about the failure that the log tells of, or None if we do not know it."""
    return next((remedy for pattern, remedy in _KNOWN_FAILURES if re.search(pattern, log)), None)


def tail(path: Path, lines: int) -> list[str]:
    """The last lines of a text file; none if there is no such file."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return [line.rstrip("\n") for line in deque(file, maxlen=lines)]
    except FileNotFoundError:
        return []


def database_failure(debug_log: Path) -> str | None:
    """Why the latest run of the server could not start a database, in the server's words; None if it could."""
    failures = [entry for entry in _entries_of_latest_run(debug_log) if _DATABASE_FAILED in str(entry.get("message"))]
    if not failures:
        return None
    causes = re.findall(r"\S+(?:Exception|Error): [^\n]*", str(failures[-1].get("stacktrace", "")))
    return str(causes[-1] if causes else failures[-1]["message"]).removeprefix("Caused by: ")


def _entries_of_latest_run(debug_log: Path) -> list[dict[str, object]]:
    run: list[dict[str, object]] = []
    for entry in _entries(debug_log):
        if str(entry.get("message")).startswith(_RUN_BEGINS):
            run = []
        run.append(entry)
    return run


def _entries(debug_log: Path) -> Iterator[dict[str, object]]:
    for line in tail(debug_log, _DEBUG_LINES):
        try:
            entry = json.loads(line)
        except ValueError:  # the line being written this moment
            continue
        if isinstance(entry, dict):
            yield entry


def failure_message(summary: str, log: Path, *, complaint: str = "", lines: int = 15) -> str:
    """A summary, the server's own complaint, the remedy if we know one, and the end of the log."""
    end = tail(log, lines)
    remedy = explain(complaint) or explain("\n".join(tail(log, _SEARCHED_LINES)))
    parts = [summary, complaint, remedy or "", f"The end of {log}:" if end else "", *(f"  {line}" for line in end)]
    return "\n".join(part for part in parts if part)
