"""The root of queries: one service call each."""

import asyncio

import strawberry

from api.answers import RecallInput, RecallResult
from api.context import ApiInfo
from api.fields import answers, output
from api.given import given
from api.listing import MemoryFilter
from api.memories import Memory, MemoryConnection
from api.names import EntityConnection, PersonConnection
from api.nodes import Node, shown
from api.users import Stats, UserSettings
from graph_memory.domain.names import NameKind
from graph_memory.domain.vocabulary import MemoryOrder
from graph_memory.errors import NotFoundError
from graph_memory.ports import MemoryFilter as StoredFilter
from graph_memory.services.inspect import NameFilter
from graph_memory.services.paging import PageRequest


@output
class Query:
    """What can be asked."""

    @answers("Anything by its id.")
    async def node(self, info: ApiInfo, id: strawberry.ID) -> Node | None:
        stored = await info.context.services.inspect.node(info.context.user_id, id)
        if stored is None:
            raise NotFoundError("node", id)
        return shown(stored)

    @answers("One memory by its id, whatever its state.")
    async def memory(self, info: ApiInfo, id: strawberry.ID) -> Memory | None:
        return Memory.of(await info.context.services.inspect.memory(info.context.user_id, id))

    @answers("Memories that pass a filter; faded and expired ones too unless it says otherwise.")
    async def memories(
        self,
        info: ApiInfo,
        filter: MemoryFilter | None = strawberry.UNSET,
        order_by: MemoryOrder | None = MemoryOrder.CREATED_DESC,
        first: int | None = strawberry.UNSET,
        after: str | None = strawberry.UNSET,
        last: int | None = strawberry.UNSET,
        before: str | None = strawberry.UNSET,
    ) -> MemoryConnection:
        context, asked = info.context, given(filter)
        wanted = await asked.checked().wanted(context) if asked else StoredFilter()
        named = asked.names() if asked else NameFilter()
        request = PageRequest(first=given(first), after=given(after), last=given(last), before=given(before))
        inspect, user_id = context.services.inspect, context.user_id
        page = await inspect.find_memories(
            user_id, wanted, request, order=order_by or MemoryOrder.CREATED_DESC, named=named
        )
        return MemoryConnection.of(page, lambda: inspect.count_memories(user_id, wanted, named=named))

    @answers("The best memories for a question, with the reasons.")
    async def recall(self, info: ApiInfo, input: RecallInput) -> RecallResult:
        services, loop = info.context.services, asyncio.get_running_loop()
        started = loop.time()
        answer = await services.recall(info.context.user_id, await input.question(info.context))
        took_ms = (loop.time() - started) * 1_000.0
        return RecallResult.of(answer, took_ms=took_ms, settings=services.settings.recall)

    @answers("People, the latest mentioned first; `search` is anywhere in a name.")
    async def people(
        self,
        info: ApiInfo,
        search: str | None = strawberry.UNSET,
        first: int | None = 20,
        after: str | None = strawberry.UNSET,
    ) -> PersonConnection:
        page = await info.context.services.inspect.find_names(
            info.context.user_id, NameKind.PERSON, search=given(search), first=first, after=given(after)
        )
        return PersonConnection.of(page)

    @answers("Entities, the latest mentioned first; `search` is anywhere in a name.")
    async def entities(
        self,
        info: ApiInfo,
        search: str | None = strawberry.UNSET,
        first: int | None = 20,
        after: str | None = strawberry.UNSET,
    ) -> EntityConnection:
        inspect, user_id, sought = info.context.services.inspect, info.context.user_id, given(search)
        page = await inspect.find_names(user_id, NameKind.ENTITY, search=sought, first=first, after=given(after))
        return EntityConnection.of(page, lambda: inspect.count_names(user_id, NameKind.ENTITY, search=sought))

    @answers("What the user chose.")
    async def settings(self, info: ApiInfo) -> UserSettings:
        return UserSettings.of(await info.context.settings())

    @answers("What the user's graph holds.")
    async def stats(self, info: ApiInfo) -> Stats:
        return Stats.of(await info.context.services.inspect.stats(info.context.user_id))
