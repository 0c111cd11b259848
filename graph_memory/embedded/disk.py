"""Room on the disk, and what to say when there is none or when a folder cannot be written."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graph_memory.errors import ServerError

_FULL = {errno.ENOSPC, errno.EDQUOT}


def require_space(folder: Path, size: int, *, purpose: str) -> None:
    """Raises ServerError if the disk of `folder` has less than `size` bytes free."""
    free = shutil.disk_usage(_nearest_existing(folder)).free
    if free < size:
        raise ServerError(
            f"The disk of {folder} is full: {purpose} needs {_megabytes(size)} and {_megabytes(free)} are free. "
            "Make room, or choose a folder on another disk with GRAPH_MEMORY_HOME."
        )


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Turns what the operating system says about writing to `folder` into a ServerError with the remedy."""
    try:
        yield
    except OSError as exc:
        raise ServerError(_explain(folder, exc)) from exc


def _explain(folder: Path, exc: OSError) -> str:
    if exc.errno in _FULL:
        return f"The disk of {folder} is full. Make room, then try again: what is already there is kept."
    remedy = "Make the folder writable for you, or choose another one with GRAPH_MEMORY_HOME."
    return f"Cannot write to {folder}: {exc.strerror or exc}. {remedy}"


def _nearest_existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
