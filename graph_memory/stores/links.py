"""LinkStore on Neo4j."""

from collections.abc import Sequence
from datetime import datetime

from graph_memory.domain.change import Change
from graph_memory.domain.link import INVERSE, Link, LinkType, parse_link_id, twins
from graph_memory.domain.vocabulary import NodeId, UserId
from graph_memory.ports import LinkStep, Position, Row
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.rows import change_properties, link_from, link_properties


async def change_links(transaction: Transaction, user_id: UserId, steps: Sequence[LinkStep]) -> None:
    """Takes steps on links between memories, locked in the order of their ids; one that is gone is passed over."""
    by_id = {step.link_id: step for step in steps}
    if ends := [parts for link_id in sorted(by_id) if (parts := parse_link_id(link_id))]:
        rows = await transaction.run(
            "links/lock_links",
            user_id=user_id,
            rows=[{"type": kind.value, "source_id": source, "target_id": target} for kind, source, target in ends],
        )
        links = [link_from(row["link"]) for row in rows]
        after = [link_properties(by_id[each.id].change(each), used_at=by_id[each.id].used_at) for each in links]
        await transaction.run("links/write_links", user_id=user_id, rows=after)


async def would_close_cycle(
    within: Connection | Transaction, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId
) -> bool:
    """Whether a link of a directed type would lead back to its start."""
    [row] = await within.run(
        "links/find_path_of_types",
        user_id=user_id,
        from_id=target,
        to_id=source,
        forward=link_type.value,
        backward=INVERSE[link_type].value,
    )
    return bool(row["reached"])


class Neo4jLinkStore:
    """Keeps links in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def link(self, user_id: UserId, link: Link, change: Change, *, at: datetime) -> Link | None:
        rows = await self._connection.run(
            "links/link_nodes",
            user_id=user_id,
            source_id=link.source,
            target_id=link.target,
            type=link.type.value,
            twins=[twin.value for twin in twins(link.type)],
            weight=link.weight,
            reason=link.reason,
            origin=link.origin,
            at=at,
            change=change_properties(change),
        )
        return link_from(rows[0]["link"]) if rows else None

    async def closes_cycle(self, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId) -> bool:
        return await would_close_cycle(self._connection, user_id, link_type, source, target)

    async def get(self, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId) -> Link | None:
        rows = await self._connection.run(
            "links/get_link", user_id=user_id, source_id=source, target_id=target, type=link_type.value
        )
        return link_from(rows[0]["link"]) if rows else None

    async def unlink(
        self, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId, change: Change
    ) -> bool:
        rows = await self._connection.run(
            "links/unlink_nodes",
            user_id=user_id,
            source_id=source,
            target_id=target,
            type=link_type.value,
            change=change_properties(change),
        )
        return bool(rows)

    async def find(
        self, user_id: UserId, node_id: NodeId, types: Sequence[LinkType], *, after: Position | None, limit: int
    ) -> list[Row[Link]]:
        rows = await self._connection.run(
            "links/find_links",
            user_id=user_id,
            node_id=node_id,
            types=[link_type.value for link_type in types],
            after_weight=after.key if after else None,
            after_key=after.id if after else None,
            limit=limit,
        )
        links = [link_from(row["link"]) for row in rows]
        return [Row(link, Position(link.weight, link.id)) for link in links]
