"""Links between nodes."""

from datetime import datetime

import strawberry

from api.context import ApiInfo
from api.fields import answers, output
from api.nodes import Node, shown
from api.pages import PageInfo
from graph_memory.domain.link import Link as StoredLink
from graph_memory.domain.link import LinkFamily, LinkType
from graph_memory.domain.vocabulary import NodeId
from graph_memory.errors import NotFoundError
from graph_memory.services.paging import Page


@output
class Link(Node):
    """One stored link, from source to target."""

    type: LinkType
    family: LinkFamily
    source_id: strawberry.Private[NodeId]
    target_id: strawberry.Private[NodeId]
    weight: float = strawberry.field(description="How strongly the two belong together, 0..1.")
    confidence: float | None
    uses: int
    reason: str | None
    origin: str = strawberry.field(description="Who made it: rule, model or user.")
    created_at: datetime

    @answers("Where it starts.")
    async def source(self, info: ApiInfo) -> Node:
        return await _end(info, self.source_id)

    @answers("Where it ends.")
    async def target(self, info: ApiInfo) -> Node:
        return await _end(info, self.target_id)

    @classmethod
    def of(cls, link: StoredLink) -> "Link":
        """The API type of a stored link."""
        return cls(
            id=strawberry.ID(link.id),
            type=link.type,
            family=link.family,
            source_id=link.source,
            target_id=link.target,
            weight=link.weight,
            confidence=link.confidence,
            uses=link.uses,
            reason=link.reason,
            origin=link.origin,
            created_at=link.created_at,
        )


@output
class LinkEdge:
    """A link at its place in a list."""

    cursor: str
    node: Link


@output
class LinkConnection:
    """A page of links."""

    edges: list[LinkEdge]
    page_info: PageInfo

    @classmethod
    def of(cls, page: Page[StoredLink]) -> "LinkConnection":
        """The API type of a page of links."""
        edges = [
            LinkEdge(cursor=cursor, node=Link.of(link)) for cursor, link in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page))


async def _end(info: ApiInfo, node_id: NodeId) -> Node:
    stored = await info.context.nodes.load(node_id)
    if stored is None:  # erased between the two look-ups
        raise NotFoundError("node", node_id)
    return shown(stored)
