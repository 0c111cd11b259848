"""What is written down about a started server, and whether that server is still alive.

A pid alone proves nothing: the system gives it to another process later. So the time at which the process began is kept
too, and where the two do not settle it, the server's command line does, which names its home.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from graph_memory.embedded.command import home_argument
from graph_memory.embedded.home import ServerHome

_SAME_START_SECONDS = 1.0  # one start is read with a little noise


@dataclass(frozen=True, slots=True)
class ServerState:
    """A server that was started: its ports, and its process once there is one."""

    bolt_port: int
    http_port: int
    pid: int | None = None  # None: about to be started
    began_at: float | None = None  # seconds since 1970, as the system tells it of the process
    ready: bool = False  # it has answered a query


def write_state(path: Path, state: ServerState) -> None:
    """Writes the state whole or not at all."""
    scratch = path.with_name(f"{path.name}.{os.getpid()}")
    scratch.write_text(json.dumps(asdict(state), indent=1) + "\n", "utf-8")
    scratch.replace(path)


def read_state(path: Path) -> ServerState | None:
    """The state last written, or None if there is none that can be read."""
    try:
        return ServerState(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def began_at(pid: int) -> float | None:
    """When the process began, or None if there is none; a dead one that nobody has buried yet counts as none."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.Error:
        return None


def living_pid(home: ServerHome, state: ServerState | None) -> int | None:
    """The pid of the server of this home, or None if it does not run. A stale state is seen through."""
    if state is None:
        return None
    if state.pid is not None and state.began_at is not None:
        began = began_at(state.pid)
        if began is not None and abs(began - state.began_at) <= _SAME_START_SECONDS:
            return state.pid
    # The starter died before it could write the pid, or the clock was set meanwhile: look among all processes.
    return find_pid(home)


def find_pid(home: ServerHome) -> int | None:
    """The pid of a process whose command line says that it serves this home, or None."""
    argument = home_argument(home)
    for process in psutil.process_iter():
        try:
            if argument in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE:
                return int(process.pid)
        except psutil.Error:  # gone meanwhile, or not ours to look at
            continue
    return None
