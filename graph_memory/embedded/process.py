"""Ends a process that need not be our child."""

import asyncio
import time
from collections.abc import Callable

import psutil

from graph_memory.embedded.state import began_at
from graph_memory.errors import ServerError

_POLL_SECONDS = 0.05


async def end_process(pid: int, timeout_seconds: float, notify: Callable[[str], None]) -> bool:
    """Asks the process to end, kills it after the timeout, and waits until it is gone; whether it ended by itself."""
    try:
        process = psutil.Process(pid)
        process.terminate()
        if await _is_gone_within(pid, timeout_seconds):
            return True
        notify(
            f"The server did not stop within {timeout_seconds:g} s and was killed. What was committed is safe; the "
            "next start takes a little longer."
        )
        process.kill()
        await _is_gone_within(pid, timeout_seconds)
    except psutil.NoSuchProcess:
        pass
    except psutil.AccessDenied as exc:
        raise ServerError(f"The server (process {pid}) belongs to another user, who must stop it.") from exc
    return False


async def _is_gone_within(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if began_at(pid) is None:
            return True
        await asyncio.sleep(_POLL_SECONDS)
    return False
