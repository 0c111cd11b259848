"""People and entities, and the memories that name them."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from api.context import ApiInfo
from api.fields import answers, output
from api.given import given
from api.nodes import Node
from api.pages import PageInfo
from graph_memory.domain.names import NameKind
from graph_memory.domain.vocabulary import NodeId
from graph_memory.ports import NamedNode
from graph_memory.services.paging import Page

if TYPE_CHECKING:
    from api.memories import MemoryConnection

Memories = Annotated["MemoryConnection", strawberry.lazy("api.memories")]


@output
class Person(Node):
    """A person whom memories speak of or come from."""

    name: str
    aliases: list[str]
    last_mentioned_at: datetime | None

    @answers("The memories that refer to this person, newest first.")
    async def memories(self, info: ApiInfo, first: int | None = 20, after: str | None = strawberry.UNSET) -> Memories:
        return await _memories_naming(info, self.id, first, after)


@output
class Entity(Node):
    """A named thing that memories speak of."""

    name: str
    aliases: list[str]

    @answers("The memories that refer to this entity, newest first.")
    async def memories(self, info: ApiInfo, first: int | None = 20, after: str | None = strawberry.UNSET) -> Memories:
        return await _memories_naming(info, self.id, first, after)


@output
class PersonEdge:
    """A person at its place in a list."""

    cursor: str
    node: Person


@output
class PersonConnection:
    """A page of people."""

    edges: list[PersonEdge]
    page_info: PageInfo

    @classmethod
    def of(cls, page: Page[NamedNode]) -> "PersonConnection":
        """The API type of a page of persons."""
        edges = [
            PersonEdge(cursor=cursor, node=person(node)) for cursor, node in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page))


@output
class EntityEdge:
    """An entity at its place in a list."""

    cursor: str
    node: Entity


@output
class EntityConnection:
    """A page of entities."""

    edges: list[EntityEdge]
    page_info: PageInfo
    count: strawberry.Private[Callable[[], Awaitable[int]]]

    @answers("How many match; counted only when asked.")
    async def total_count(self) -> int:
        return await self.count()

    @classmethod
    def of(cls, page: Page[NamedNode], count: Callable[[], Awaitable[int]]) -> "EntityConnection":
        """The API type of a page of entities."""
        edges = [
            EntityEdge(cursor=cursor, node=entity(node)) for cursor, node in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page), count=count)


def person(node: NamedNode) -> Person:
    """The API type of a stored person."""
    return Person(
        id=strawberry.ID(node.id),
        name=node.name,
        aliases=list(node.aliases),
        last_mentioned_at=node.last_mentioned_at,
    )


def entity(node: NamedNode) -> Entity:
    """The API type of a stored entity."""
    return Entity(id=strawberry.ID(node.id), name=node.name, aliases=list(node.aliases))


def named(node: NamedNode) -> Node:
    """The API type of a stored person or entity."""
    return person(node) if node.kind is NameKind.PERSON else entity(node)


async def _memories_naming(info: ApiInfo, identifier: str, first: int | None, after: str | None) -> Memories:
    from api.memories import MemoryConnection

    inspect, user_id, node_id = info.context.services.inspect, info.context.user_id, NodeId(identifier)
    page = await inspect.memories_naming(user_id, node_id, first=first, after=given(after))
    return MemoryConnection.of(page, lambda: inspect.count_memories_naming(user_id, node_id))
