"""Every query of the product, one a file, and the loader that holds each file to its header.

A query's name is its path: `load("memories/get_memory")` reads `memories/get_memory.cypher`. The header says what the
query gives, whether it reads or writes, for whom, and names each parameter with its type and a sample in Cypher.
"""

import importlib.resources
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_HEADER_LINE = re.compile(r"^//(?: (.*))?$")
_PARAM = re.compile(r"^ {2}(\w+) {2,}([A-Z][A-Z<> ,_]*[A-Z>]) {2,}(.+?)(?: {2,}(.*))?$")
_COLUMN = re.compile(r"^ {2}(\w+) {2,}([A-Z][A-Z<> ,_]*[A-Z>])(?: {2,}(.*))?$")
_USED = re.compile(r"\$(\w+)")
_WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|DETACH|REMOVE|DROP|FOREACH|LOAD)\b")
_QUOTED_OR_COMMENT = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)


class QueryFileError(Exception):
    """A query file does not keep what its header says."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter: its Cypher type and a sample written in Cypher."""

    type: str
    sample: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Query:
    """One query with what its header declares."""

    name: str
    text: str  # the statement, without the header: it goes over the wire each time
    summary: str
    access: str  # read or write
    scope: str  # user: one owner's data; system: background work and administration, never a caller's
    params: dict[str, Param]
    columns: dict[str, str]

    @property
    def writes(self) -> bool:
        return self.access == "write"


@cache
def load(name: str) -> Query:
    """The query in `<name>.cypher`. Raises QueryFileError when its header lies or it is not there."""
    try:
        text = importlib.resources.files("cypher").joinpath(f"{name}.cypher").read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise QueryFileError(f"there is no query {name}") from error
    return parse(name, text)


def names() -> Iterator[str]:
    """The name of every query file, in order."""
    root = importlib.resources.files("cypher")
    for folder in sorted((each for each in root.iterdir() if each.is_dir()), key=lambda each: each.name):
        for file in sorted(folder.iterdir(), key=lambda each: each.name):
            if file.name.endswith(".cypher"):
                yield f"{folder.name}/{file.name.removesuffix('.cypher')}"


def parse(name: str, text: str) -> Query:
    """The query of a file's text. Raises QueryFileError for each way in which the header can lie."""
    header = _header(text)
    statement = "\n".join(text.splitlines()[len(header) :])
    access, scope = _field(name, header, "Access", {"read", "write"}), _field(name, header, "Scope", {"user", "system"})
    query = Query(
        name=name,
        text=statement,
        summary=header[0] if header else "",
        access=access,
        scope=scope,
        params={key: Param(*rest) for key, *rest in _section(header, "Params", _PARAM)},
        columns={key: kind for key, kind, _ in _section(header, "Returns", _COLUMN)},
    )
    _check(query)
    return query


def body(text: str) -> str:
    """A query's text without comments and without what stands in quotes."""
    return _QUOTED_OR_COMMENT.sub(lambda match: "''" if match.group()[0] in "'\"" else "", text)


def _header(text: str) -> list[str]:
    lines = []
    for line in text.splitlines():
        match = _HEADER_LINE.match(line)
        if not match:
            break
        lines.append(match.group(1) or "")
    return lines


def _field(name: str, header: list[str], field: str, allowed: set[str]) -> str:
    for line in header:
        if line.startswith(f"{field} "):
            value = line.removeprefix(field).split()[0]
            if value not in allowed:
                raise QueryFileError(f"{name}: {field} is {value!r}, not one of {sorted(allowed)}")
            return value
    raise QueryFileError(f"{name}: the header names no {field}")


def _section(header: list[str], title: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, ...]]:
    inside = False
    for line in header:
        if line.startswith(title):
            inside = True
        elif inside and not line.startswith("  "):
            return
        elif inside and not line.startswith("   ") and (match := pattern.match(line)):
            yield tuple(group or "" for group in match.groups())


def _check(query: Query) -> None:
    if not query.summary:
        raise QueryFileError(f"{query.name}: the header's first line does not say what the query gives")
    text = body(query.text)
    declared, used = set(query.params), set(_USED.findall(text))
    if declared != used:
        undeclared, unused = sorted(used - declared), sorted(declared - used)
        raise QueryFileError(f"{query.name}: undeclared {undeclared}, unused {unused}")
    if not query.writes and (clause := _WRITES.search(text)):
        raise QueryFileError(f"{query.name}: says it reads, but holds {clause.group()}")
