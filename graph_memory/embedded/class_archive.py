"""Makes starts quick: Java keeps the classes it has loaded, parsed and linked, in an archive for the next start.

Measured on two cores: a start takes under 5 s with the archive and 11 to 15 s without. The first server on a machine
writes one when it stops, which takes it some 5 s more; it lands in the home and moves to the shared cache only once it
is whole. Java checks on its own that an archive fits, and starts the slow way if it does not.
"""

import hashlib
from pathlib import Path

from graph_memory.embedded.home import ServerHome
from graph_memory.embedded.java import Java


class ClassArchive:
    """The archive for one Java and one class path."""

    def __init__(self, cache: Path, home: ServerHome, java: Java, class_path: str) -> None:
        self._shared = cache / "class-archives" / f"{_fingerprint(java, class_path)}.jsa"
        self._fresh = home.run / self._shared.name
        self._quiet = ["-Xshare:auto", "-Xlog:cds=off", "-Xlog:class+path=off"]

    def flags(self) -> list[str]:
        """What to tell Java: use the archive, or write one at the end."""
        if self._shared.is_file():
            return [f"-XX:SharedArchiveFile={self._shared}", *self._quiet]
        self._fresh.unlink(missing_ok=True)
        return [f"-XX:ArchiveClassesAtExit={self._fresh}", *self._quiet]


def share_fresh_archives(cache: Path, home: ServerHome) -> None:
    """After a clean stop: gives the archive that the server wrote to all later starts."""
    for fresh in home.run.glob("*.jsa"):
        target = cache / "class-archives" / fresh.name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            fresh.replace(target)
        except OSError:  # another disk, or no room: the next start is a slow one, no more
            fresh.unlink(missing_ok=True)


def _fingerprint(java: Java, class_path: str) -> str:
    executable = Path(java.executable).resolve()
    stat = executable.stat()
    parts = [str(executable), str(stat.st_size), str(stat.st_mtime_ns), class_path]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
