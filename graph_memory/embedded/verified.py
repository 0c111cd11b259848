"""Which cached jars are known to be good, so that a start need not read 180 MB to find out.

A stamp file holds the size and time of change that each jar had when its checksum was last right. A jar that no
longer looks the same is hashed again; a stamp that is lost or broken costs one hashing, never a wrong answer.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from graph_memory.embedded.lock import Artifact

_CHUNK = 1 << 20


class VerifiedJars:
    """The jars of one cache folder whose bytes are what the lock says."""

    def __init__(self, cache: Path, stamp: Path) -> None:
        self._cache = cache
        self._stamp = stamp
        self._looks = _read(stamp)
        self._changed = False

    def missing(self, artifacts: Iterable[Artifact]) -> list[Artifact]:
        """Those of the artifacts that are not there, or not with the right bytes."""
        return [artifact for artifact in artifacts if not self.holds(artifact)]

    def holds(self, artifact: Artifact) -> bool:
        path = self._cache / artifact.path
        if (look := _look(path, artifact)) is None:
            return False
        if self._looks.get(artifact.coordinate) == look:
            return True
        return is_intact(path, artifact) and self.add(artifact)

    def add(self, artifact: Artifact) -> bool:
        """Notes that the jar in the cache was just found good."""
        if look := _look(self._cache / artifact.path, artifact):
            self._looks[artifact.coordinate] = look
            self._changed = True
        return look is not None

    def save(self) -> None:
        """Writes the stamp, whole or not at all; a cache that is read-only does without."""
        if not self._changed:
            return
        try:
            scratch = self._stamp.with_name(f"{self._stamp.name}.{os.getpid()}")
            scratch.write_text(json.dumps(self._looks, indent=0), "utf-8")
            scratch.replace(self._stamp)
        except OSError:
            pass


def is_intact(path: Path, artifact: Artifact) -> bool:
    """Whether the file has the bytes that the lock says."""
    return path.is_file() and path.stat().st_size == artifact.size and sha256_of(path) == artifact.sha256


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _look(path: Path, artifact: Artifact) -> list[object] | None:
    """What a jar looks like from outside; None if it is missing or of another size."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return [artifact.sha256, stat.st_size, stat.st_mtime_ns] if stat.st_size == artifact.size else None


def _read(stamp: Path) -> dict[str, list[object]]:
    try:
        looks = json.loads(stamp.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return looks if isinstance(looks, dict) else {}
