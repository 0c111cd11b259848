"""The audit trail and the supersessions of a user, read from the graph itself and not through the product."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import neo4j

from graph_memory.bootstrap import address_of
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from tests.simulation.laws import Superseded, Trace

_TRAIL = """
MATCH (c:Change {user_id: $user_id})
RETURN c.target_id AS target_id, c.at AS at, c.action AS action, c.field AS field, c.before AS before,
    c.after AS after, c.reason AS reason
ORDER BY c.at, c.id
"""
_SUPERSEDED = """
MATCH (older:Memory {user_id: $user_id})-[r:SUPERSEDED_BY]->(newer:Memory {user_id: $user_id})
RETURN older.id AS older, newer.id AS newer, r.created_at AS since, r.expired_at AS until
"""


class Trail:
    """What the graph holds of one user's history."""

    def __init__(self, driver: neo4j.AsyncDriver, database: str, user_id: UserId) -> None:
        self._driver, self._database, self._user_id = driver, database, user_id

    async def changes(self) -> list[Trace]:
        """Every audit row, in order."""
        return [Trace.from_row(row) for row in await self._rows(_TRAIL)]

    async def superseded(self) -> list[Superseded]:
        """Every SUPERSEDED_BY, closed ones too."""
        return [Superseded(**row) for row in await self._rows(_SUPERSEDED)]

    async def _rows(self, statement: str) -> list[dict[str, Any]]:
        async with self._driver.session(database=self._database) as session:
            result = await session.run(statement, user_id=self._user_id)
            return [_plain(record.data()) async for record in result]


@asynccontextmanager
async def open_trail(settings: Settings, user_id: UserId) -> AsyncIterator[Trail]:
    """The history of a user on the server that settings name."""
    address = await address_of(settings)
    auth = (address.username, address.password) if address.password else None
    async with neo4j.AsyncGraphDatabase.driver(address.uri, auth=auth, notifications_min_severity="OFF") as driver:
        yield Trail(driver, address.database, user_id)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Instants as Python has them."""
    return {name: value.to_native() if isinstance(value, neo4j.time.DateTime) else value for name, value in row.items()}
