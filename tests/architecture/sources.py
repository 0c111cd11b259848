"""The source of the product as syntax trees: its modules, its string literals, and where it names queries."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cypher

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Literal:
    """A text in the source that is no docstring."""

    module: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class QueryUse:
    """A place that names a query file: the class or else the module, and the function inside it."""

    query: str
    module: str
    owner: str
    function: str


def modules(*packages: str) -> Iterator[tuple[str, ast.Module]]:
    """Every module of packages, by its path from the root."""
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"), str(path))


def literals(*packages: str) -> Iterator[Literal]:
    """Every text of packages, each part of an f-string too, but no docstring."""
    for module, tree in modules(*packages):
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                yield Literal(module, node.lineno, node.value)


@cache
def query_uses() -> list[QueryUse]:
    """Every place in the product that names a query file."""
    known = set(cypher.names())
    return [
        QueryUse(literal, module, owner, function)
        for module, tree in modules("graph_memory", "api")
        for owner, function, literal in _literals_by_place(tree, Path(module).stem, "")
        if literal in known
    ]


def _literals_by_place(node: ast.AST, owner: str, function: str) -> Iterator[tuple[str, str, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _literals_by_place(child, child.name, "")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _literals_by_place(child, owner, function or child.name)
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield owner, function, child.value
        else:
            yield from _literals_by_place(child, owner, function)
