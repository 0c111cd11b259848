"""Every query of the product, one a file, and the loader that holds each file to its header.

A query's name is its path: `load("memories/get_memory")` reads `memories/get_memory.cypher`. The header says what the
query gives, whether it reads or writes, for whom, and names each parameter with its type and a sample in Cypher.

The server plans a statement anew, for up to some seconds, for each power of ten of the length of each parameter that
is text or a list. Within a map it does not look at lengths. So a file says `$rows` and is sent with `$given.rows`, one
plan for all: `Query.sent` and `Query.bound` belong together.
"""

import importlib.resources
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

_HEADER_LINE = re.compile(r"^//(?: (.*))?$")
_PARAM = re.compile(r"^ {2}(\w+) {2,}([A-Z][A-Z<> ,_]*[A-Z>]) {2,}(.+?)(?: {2,}(.*))?$")
_COLUMN = re.compile(r"^ {2}(\w+) {2,}([A-Z][A-Z<> ,_]*[A-Z>])(?: {2,}(.*))?$")
_USED = re.compile(r"\$(\w+)")
_GIVEN = "given"
_WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|DETACH|REMOVE|DROP|FOREACH|LOAD)\b")
_QUOTED_OR_COMMENT = re.compile(r"('(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|//[^\n]*|/\*.*?\*/)", re.DOTALL)
_INDENT = re.compile(r"\s*\n\s*")


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
    text: str  # the statement, without the header
    sent: str  # the same, bare, with those parameters that have a length in one map: this goes over the wire each time
    summary: str
    access: str  # read or write
    scope: str  # user: one owner's data; system: background work and administration, never a caller's
    params: dict[str, Param]
    columns: dict[str, str]

    @property
    def writes(self) -> bool:
        return self.access == "write"

    def bound(self, params: Mapping[str, object]) -> dict[str, object]:
        """The parameters of `sent`.

        Raises QueryFileError unless they are those of the header: the server would take one that a map lacks for null.
        """
        if params.keys() != self.params.keys():
            missing, undeclared = sorted(self.params.keys() - params.keys()), sorted(params.keys() - self.params.keys())
            raise QueryFileError(f"{self.name}: missing {missing}, undeclared {undeclared}")
        given = {name: value for name, value in params.items() if _has_length(self.params[name])}
        rest = {name: value for name, value in params.items() if name not in given}
        return {**rest, _GIVEN: given} if given else rest


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
    params = {key: Param(*rest) for key, *rest in _section(header, "Params", _PARAM)}
    query = Query(
        name=name,
        text=statement,
        sent=_sent(statement, {key for key, param in params.items() if _has_length(param)}),
        summary=header[0] if header else "",
        access=access,
        scope=scope,
        params=params,
        columns={key: kind for key, kind, _ in _section(header, "Returns", _COLUMN)},
    )
    _check(query)
    return query


def body(text: str) -> str:
    """A query's text without comments and without what stands in quotes."""
    return _QUOTED_OR_COMMENT.sub(lambda match: "''" if match.group()[0] in "'\"" else "", text)


def _has_length(param: Param) -> bool:
    return param.type.startswith(("STRING", "LIST"))


def _sent(statement: str, names: set[str]) -> str:
    """A statement without comments and indents, with the parameters of these names in the one map."""

    def named(match: re.Match[str]) -> str:
        return f"${_GIVEN}.{match[1]}" if match[1] in names else match[0]

    parts = [part for part in _QUOTED_OR_COMMENT.split(statement) if not part.startswith(("//", "/*"))]
    return "".join(part if part.startswith(("'", '"')) else _INDENT.sub("\n", _USED.sub(named, part)) for part in parts)


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
    if _GIVEN in declared:
        raise QueryFileError(f"{query.name}: {_GIVEN} is the map in which parameters are sent")
    if declared != used:
        undeclared, unused = sorted(used - declared), sorted(declared - used)
        raise QueryFileError(f"{query.name}: undeclared {undeclared}, unused {unused}")
    if not query.writes and (clause := _WRITES.search(text)):
        raise QueryFileError(f"{query.name}: says it reads, but holds {clause.group()}")
