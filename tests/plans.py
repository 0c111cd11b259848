"""What the server says of how it ran a query file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import neo4j

import cypher
from graph_memory.bootstrap import address_of
from graph_memory.settings import Settings


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator of a profile."""

    name: str
    details: str
    rows: int
    hits: int
    parent: "Operator | None"


async def profiled(settings: Settings, name: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """The profile of one run of a query file, as the driver gives it."""
    address, query = await address_of(settings), cypher.load(name)
    auth = (address.username, address.password) if address.password else None
    async with (
        neo4j.AsyncGraphDatabase.driver(address.uri, auth=auth, notifications_min_severity="OFF") as driver,
        driver.session(database=address.database) as session,
    ):
        result = await session.run(f"PROFILE {query.sent}", query.bound(params))
        plan = (await result.consume()).profile
    assert plan is not None, "the server gave no profile"
    return plan


def operators(plan: Mapping[str, Any], parent: Operator | None = None) -> Iterator[Operator]:
    """The operators of a profile, from the answer down."""
    here = Operator(
        name=str(plan["operatorType"]).split("@")[0],
        details=str(plan["args"].get("Details", "")),
        rows=plan.get("rows") or 0,
        hits=plan.get("dbHits") or 0,
        parent=parent,
    )
    yield here
    for child in plan.get("children", []):
        yield from operators(child, here)
