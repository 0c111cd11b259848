"""A graph seen without the product: plain statements, plans, and all that a user has, by content."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import neo4j

import cypher
from graph_memory.settings import Settings

_NODES = "MATCH (n) WHERE n.user_id = $user_id RETURN labels(n) AS labels, properties(n) AS properties"
_LINKS = """
MATCH (a)-[r]->(b) WHERE a.user_id = $user_id OR b.user_id = $user_id OR r.user_id = $user_id
RETURN type(r) AS type, properties(r) AS properties, properties(a) AS source, properties(b) AS target
"""
_LOCK = re.compile(r"(\w+)\.lock = true")
_CACHED = re.compile(r"cache\[(\w+)\.(\w+)\]")
_NEVER_CHANGED = frozenset({"id", "user_id"})


@dataclass(frozen=True, slots=True)
class Plan:
    """How the server would carry out a statement."""

    operators: tuple[str, ...]
    columns: tuple[str, ...]
    remembered: frozenset[str]  # variable.property checked after a lock of the variable as it was read before


@dataclass(frozen=True, slots=True)
class Dump:
    """All that speaks of a user, in an order of its own; equal where the content is."""

    nodes: tuple[str, ...]
    links: tuple[str, ...]


class Graph:
    """One database."""

    def __init__(self, driver: neo4j.AsyncDriver, database: str) -> None:
        self._driver, self._database = driver, database

    async def run(self, statement: str, /, **params: Any) -> list[dict[str, Any]]:
        """The rows of a statement."""
        async with self._driver.session(database=self._database) as session:
            result = await session.run(statement, params)
            return [record.data() async for record in result]

    async def value(self, statement: str, /, **params: Any) -> Any:
        """The one value of a statement."""
        [row] = await self.run(statement, **params)
        [value] = row.values()
        return value

    async def ask(self, query: cypher.Query, /, **params: Any) -> list[dict[str, Any]]:
        """The rows of a query file."""
        return await self.run(query.sent, **query.bound(params))

    async def plan(self, query: cypher.Query, params: Mapping[str, Any]) -> Plan:
        """The plan of a query file, which is not carried out."""
        async with self._driver.session(database=self._database) as session:
            result = await session.run(f"EXPLAIN {query.sent}", query.bound(params))
            columns = tuple(result.keys())
            summary = await result.consume()
            assert summary.plan is not None
            return Plan(tuple(_operators(summary.plan)), columns, frozenset(_remembered(summary.plan, [])))

    async def samples(self, query: cypher.Query) -> dict[str, Any]:
        """The sample of every parameter of a query file, evaluated."""
        return {name: await self.value(f"RETURN {param.sample}") for name, param in query.params.items()}

    async def dump(self, user_id: str) -> Dump:
        """Every node and relationship of a user, with every property."""
        nodes = [
            f"{sorted(row['labels'])} {_written(row['properties'])}" for row in await self.run(_NODES, user_id=user_id)
        ]
        links = [
            f"{row['type']} {_written(row['properties'])} {_identity(row['source'])} {_identity(row['target'])}"
            for row in await self.run(_LINKS, user_id=user_id)
        ]
        return Dump(tuple(sorted(nodes)), tuple(sorted(links)))


@asynccontextmanager
async def open_graph(settings: Settings) -> AsyncIterator[Graph]:
    """The graph that settings name."""
    chosen = settings.neo4j
    assert chosen.uri is not None
    auth = (chosen.username, chosen.password) if chosen.password else None
    async with neo4j.AsyncGraphDatabase.driver(chosen.uri, auth=auth, notifications_min_severity="OFF") as driver:
        yield Graph(driver, chosen.database)


def _operators(plan: Mapping[str, Any]) -> list[str]:
    children = [name for child in plan.get("children", []) for name in _operators(child)]
    return [str(plan["operatorType"]).split("@")[0], *children]


def _remembered(plan: Mapping[str, Any], later: Sequence[str]) -> Iterator[str]:
    """What operators after a lock take from a cache that was filled before it; `later` is what follows this one."""
    details = str(plan.get("args", {}).get("Details"))
    if lock := _LOCK.match(details):
        variable = lock[1]
        after = set(_CACHED.findall("\n".join(later)))
        before = set(_CACHED.findall("\n".join(_details(plan))))
        yield from (f"{of}.{name}" for of, name in after & before if of == variable and name not in _NEVER_CHANGED)
    children = plan.get("children", [])
    for place, child in enumerate(children):
        beside = [detail for sibling in children[place + 1 :] for detail in _details(sibling)]
        yield from _remembered(child, [*later, details, *beside])


def _details(plan: Mapping[str, Any]) -> list[str]:
    below = [detail for child in plan.get("children", []) for detail in _details(child)]
    return [str(plan.get("args", {}).get("Details")), *below]


def _written(properties: Mapping[str, Any]) -> str:
    return repr(sorted(properties.items()))


def _identity(properties: Mapping[str, Any]) -> tuple[Any, Any]:
    return properties.get("id"), properties.get("user_id")
