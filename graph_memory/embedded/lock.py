"""Lock files: which Maven artifacts we use, pinned by checksum and size.

A lock is a text file beside this module. Each line reads `group:artifact:version[:classifier] sha256 size`; a line
that starts with `#` is a comment. It says *what* to fetch, never from where: that is the Maven client's business.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import PurePosixPath

from graph_memory.errors import ServerError

SERVER_LOCK = "artifacts.lock"
MODELS_LOCK = "models.lock"

_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, order=True)
class Artifact:
    """One jar: its Maven coordinate and what its bytes must be."""

    group: str
    name: str
    version: str
    classifier: str
    sha256: str
    size: int

    @property
    def coordinate(self) -> str:
        parts = [self.group, self.name, self.version, self.classifier]
        return ":".join(part for part in parts if part)

    @property
    def filename(self) -> str:
        suffix = f"-{self.classifier}" if self.classifier else ""
        return f"{self.name}-{self.version}{suffix}.jar"

    @property
    def path(self) -> PurePosixPath:
        """Where the jar lies in a folder of Maven's layout."""
        return PurePosixPath(*self.group.split("."), self.name, self.version, self.filename)


def load_lock(name: str) -> tuple[Artifact, ...]:
    """The artifacts of a lock file of this package, in the order of the file."""
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    return parse_lock(name, text)


def parse_lock(name: str, text: str) -> tuple[Artifact, ...]:
    """The artifacts in `text`; raises ServerError naming the first line that is not one."""
    lines = enumerate(text.splitlines(), start=1)
    return tuple(
        _parse_line(f"{name}, line {number}", line) for number, line in lines if line.strip() and line[0] != "#"
    )


def format_lock(artifacts: Iterable[Artifact], *, heading: str) -> str:
    """The text of a lock file: comments, then one line an artifact, sorted so that a change is a small diff."""
    comments = [f"# {line}".rstrip() for line in heading.splitlines()]
    lines = [f"{each.coordinate} {each.sha256} {each.size}" for each in sorted(artifacts)]
    return "\n".join([*comments, *lines]) + "\n"


def _parse_line(where: str, line: str) -> Artifact:
    fields = line.split()
    coordinate = fields[0].split(":")
    well_formed = len(fields) == 3 and len(coordinate) in (3, 4) and all(map(_WORD.fullmatch, coordinate))
    if not well_formed or not _SHA256.fullmatch(fields[1]) or not fields[2].isdecimal():
        raise ServerError(
            f"{where}: expected `group:artifact:version[:classifier] sha256 size`, found {line!r}. "
            "Reinstall graph-memory: the file is part of it."
        )
    group, name, version, classifier = (*coordinate, "")[:4]
    return Artifact(group, name, version, classifier, fields[1], int(fields[2]))
