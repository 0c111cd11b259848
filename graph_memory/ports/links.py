"""What the core asks of links."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graph_memory.domain.change import Change
from graph_memory.domain.link import Link, LinkType
from graph_memory.domain.vocabulary import (
    NodeId,
    UserId,
)
from graph_memory.ports.paging import Position, Row


class LinkStore(Protocol):
    """Keeps links."""

    async def link(self, user_id: UserId, link: Link, change: Change, *, at: datetime) -> Link | None:
        """Links two nodes, or raises the equal link to the larger weight; None when a node is not there."""

    async def closes_cycle(self, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId) -> bool:
        """Whether a link of a directed type would lead back to its start."""

    async def get(self, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId) -> Link | None:
        """One link."""

    async def unlink(
        self, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId, change: Change
    ) -> bool:
        """Removes a link; False when there was none."""

    async def find(
        self, user_id: UserId, node_id: NodeId, types: Sequence[LinkType], *, after: Position | None, limit: int
    ) -> list[Row[Link]]:
        """One page of a node's links, both directions, the heaviest first."""
