"""Which input field an error of graphql-core is about, read from its message or from the query's own text."""

import re
from typing import Any

from graphql import (
    ArgumentNode,
    GraphQLError,
    Node,
    ObjectFieldNode,
    Visitor,
    parse,
    visit,
)

_VARIABLE = re.compile(
    r"Variable '\$(?P<name>\w+)' has invalid value(?: at (?P<path>[\w.\[\]]+))?: (?P<message>.*)", re.S
)
_WRAPPERS = frozenset({"input", "inputs", "filter"})
_NAMED_FIELD = re.compile(r"(?:required|unknown) field '(?P<field>\w+)'")
_FOUND = re.compile(
    r"(?:[,;]|(?<=\?)) [Ff]ound: .*", re.S
)  # the validator repeats the whole value, which the caller knows


def variable_place(message: str) -> tuple[str, str] | None:
    """Field and message of an error in a variable's value, "occurredAt" or "[3].occurredAt" within it."""
    if not (match := _VARIABLE.fullmatch(message)):
        return None
    inside, said = (match["path"] or "").lstrip("."), _FOUND.sub("", match["message"])
    return _joined(inside, said) or match["name"], said


def literal_place(error: GraphQLError, query: str | None) -> tuple[str, str] | None:
    """Field and message of an error in a value written into the query."""
    if not query or not error.nodes or not error.nodes[0].loc:
        return None
    location = error.nodes[0].loc
    finder = _Finder(location.start, location.end)
    visit(parse(query), finder)
    said = _FOUND.sub("", error.message)
    if finder.path is None:
        return None
    return _joined(finder.path, said) or "query", said


def _joined(path: str, said: str) -> str:
    """The path, extended by the field that the message says is missing or unknown below it."""
    named = _NAMED_FIELD.search(said)
    if named and path.rpartition(".")[2] != named["field"]:
        return f"{path}.{named['field']}".lstrip(".")
    return path


class _Finder(Visitor):
    """Finds the path of argument and field names down to the value at two offsets."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__()
        self._wanted = (start, end)
        self.path: str | None = None

    def enter(self, node: Node, key: Any, parent: Any, path: Any, ancestors: Any) -> None:
        if self.path is None and node.loc and (node.loc.start, node.loc.end) == self._wanted:
            self.path = _path_of([*ancestors, parent, node])


def _path_of(nodes: list[Any]) -> str | None:
    """Names from the argument down, without an argument that only wraps the fields of an input."""
    names = [each.name.value for each in nodes if isinstance(each, ArgumentNode | ObjectFieldNode)]
    if not names:
        return None
    return ".".join(name for position, name in enumerate(names) if position or name not in _WRAPPERS)
