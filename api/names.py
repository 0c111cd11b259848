"""People and entities, and the memories that name them."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from api.context import ApiContext, ApiInfo
from api.fields import answers, output
from api.given import given
from api.history import ChangeConnection
from api.nodes import Node
from api.pages import PageInfo
from api.trust import Communication, Evidence, PersonTrust, Relation, person_view
from graph_memory.domain.names import NameKind
from graph_memory.domain.person import PersonView
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

    @answers("How far the user can trust them, as of now.")
    async def trust(self, info: ApiInfo) -> PersonTrust:
        return PersonTrust.of(await self._view(info))

    @answers("The strongest of what that trust rests on.")
    async def evidence(self, info: ApiInfo) -> list[Evidence]:
        return [Evidence.of(each) for each in (await self._view(info)).evidence]

    @answers("Exchanges with them, the latest first.")
    async def communications(self, info: ApiInfo) -> list[Communication]:
        return [Communication.of(each) for each in reversed((await self._view(info)).person.communications)]

    @answers("What others are to them, and they to others.")
    async def relations(self, info: ApiInfo) -> list[Relation]:
        return [Relation.of(each) for each in (await self._view(info)).person.relations]

    @answers("What the user noted on them.")
    async def notes(self, info: ApiInfo) -> list[str]:
        return list((await self._view(info)).person.notes)

    @answers("Which way the last feelings point: positive, neutral or negative; null with too few of them.")
    async def trend(self, info: ApiInfo) -> str | None:
        trend = (await self._view(info)).trend
        return None if trend is None else trend.value

    @answers("The memories that refer to this person, newest first.")
    async def memories(self, info: ApiInfo, first: int | None = 20, after: str | None = strawberry.UNSET) -> Memories:
        return await _memories_naming(info, self.id, first, after)

    @answers("What happened to them, the latest first; the id of a merge is what undoes it.")
    async def changes(
        self, info: ApiInfo, first: int | None = 20, after: str | None = strawberry.UNSET
    ) -> ChangeConnection:
        inspect, user_id = info.context.services.inspect, info.context.user_id
        return ChangeConnection.of(await inspect.changes_of(user_id, self.id, first=first, after=given(after)))

    async def _view(self, info: ApiInfo) -> PersonView:
        return await person_view(info.context, NodeId(self.id))


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


def person_seen(view: PersonView) -> Person:
    """The API type of a person as they are now."""
    seen = view.person
    return Person(
        id=strawberry.ID(seen.id),
        name=seen.name,
        aliases=[alias.text for alias in seen.aliases],
        last_mentioned_at=seen.last_mentioned_at,
    )


def seen(context: ApiContext, views: Sequence[PersonView]) -> list[Person]:
    """The API types of several; what is known of them is not asked for again."""
    context.people.prime_many({view.person.id: view for view in views})
    return [person_seen(view) for view in views]


def person_changed(context: ApiContext, view: PersonView) -> Person:
    """The same after a change; whatever this request knew of people before may be out of date."""
    context.people.clear_all()
    context.people.prime(view.person.id, view)
    return person_seen(view)


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
