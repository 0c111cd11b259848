"""The root of queries: one service call each."""

import asyncio
from datetime import datetime

import strawberry

from api.answers import RecallInput, RecallResult
from api.context import ApiInfo
from api.episodes import EpisodeConnection, Relationship, Turn
from api.extraction import WaitingTurn
from api.fields import answers, output
from api.given import given
from api.listing import MemoryFilter
from api.memories import Memory, MemoryConnection
from api.names import EntityConnection, Person, PersonConnection, person_seen, seen
from api.nodes import Node, shown
from api.sleep import Notice, PrioritySnapshotConnection, SleepReportConnection
from api.succession import Chain, ChainStep, ContradictionConnection
from api.users import Stats, Usage, UserSettings
from graph_memory.domain.decision import DecisionStatus
from graph_memory.domain.names import NameKind
from graph_memory.domain.vocabulary import Kind, MemoryOrder
from graph_memory.errors import NotFoundError
from graph_memory.ports import MemoryFilter as StoredFilter
from graph_memory.services.inspect import NameFilter
from graph_memory.services.ledger import DecisionsWanted
from graph_memory.services.paging import PageRequest


@output
class Query:
    """What can be asked."""

    @answers("Anything by its id.")
    async def node(self, info: ApiInfo, id: strawberry.ID) -> Node | None:
        services, user_id = info.context.services, info.context.user_id
        for find in (services.inspect.node, services.sleep.find, services.priorities.find):
            if stored := await find(user_id, id):
                return shown(stored)
        raise NotFoundError("node", id)

    @answers("One memory by its id, whatever its state; with `reinforce` it counts as used.")
    async def memory(self, info: ApiInfo, id: strawberry.ID, reinforce: bool | None = False) -> Memory | None:
        services, user_id = info.context.services, info.context.user_id
        return Memory.of(await (services.use.read if reinforce else services.inspect.memory)(user_id, id))

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
        wanted = await asked.wanted(context) if asked else StoredFilter()
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
        return RecallResult.of(answer, took_ms=took_ms)

    @answers("What an agent should know before anybody asks, as text for a prompt, fenced as data.")
    async def agent_context(
        self,
        info: ApiInfo,
        token_budget: int | None = 2000,
        bucket: str | None = strawberry.UNSET,
        episodes: int | None = 5,
    ) -> str:
        context = info.context
        return await context.services.agent_context(
            context.user_id, token_budget=token_budget, bucket=given(bucket), episodes=episodes
        )

    @answers("Decisions, the latest first, as believed at `asOf`.")
    async def decisions(
        self,
        info: ApiInfo,
        domain: str | None = strawberry.UNSET,
        topic: str | None = strawberry.UNSET,
        status: DecisionStatus | None = strawberry.UNSET,
        as_of: datetime | None = strawberry.UNSET,
        first: int | None = 20,
        after: str | None = strawberry.UNSET,
    ) -> MemoryConnection:
        ledger, user_id = info.context.services.ledger, info.context.user_id
        wanted = DecisionsWanted(
            domain=given(domain),
            topic=given(topic),
            status=given(status),
            as_of=await info.context.instant("asOf", given(as_of)),
        )
        page = await ledger.decisions(user_id, wanted, first=first, after=given(after))
        return MemoryConnection.of(page, lambda: ledger.count_decisions(user_id, wanted))

    @answers("How decisions on a topic came to be; where no topic is called so, those that its words find best.")
    async def why(
        self,
        info: ApiInfo,
        topic: str,
        domain: str | None = strawberry.UNSET,
        as_of: datetime | None = strawberry.UNSET,
        known_at: datetime | None = strawberry.UNSET,
    ) -> list[Chain]:
        chains = await info.context.services.ledger.why(
            info.context.user_id,
            topic,
            domain=given(domain),
            as_of=await info.context.instant("asOf", given(as_of)),
            known_at=await info.context.instant("knownAt", given(known_at)),
        )
        return [Chain.of(each) for each in chains]

    @answers("All that took the place of each other, from any of them, the oldest first.")
    async def supersession_chain(self, info: ApiInfo, id: strawberry.ID) -> list[ChainStep]:
        steps = await info.context.services.ledger.chain(info.context.user_id, id)
        return [ChainStep.of(each) for each in steps]

    @answers("Memories that exclude each other, the latest found first.")
    async def contradictions(
        self,
        info: ApiInfo,
        settled: bool | None = strawberry.UNSET,
        first: int | None = 20,
        after: str | None = strawberry.UNSET,
    ) -> ContradictionConnection:
        page = await info.context.services.inspect.contradictions(
            info.context.user_id, settled=given(settled), first=first, after=given(after)
        )
        return ContradictionConnection.of(page)

    @answers("Patterns over what is known, the latest found first; retired ones too.")
    async def schemas(
        self, info: ApiInfo, first: int | None = 20, after: str | None = strawberry.UNSET
    ) -> MemoryConnection:
        inspect, user_id = info.context.services.inspect, info.context.user_id
        wanted = StoredFilter(kinds=(Kind.SCHEMA,))
        page = await inspect.find_memories(user_id, wanted, PageRequest(first=first, after=given(after)))
        return MemoryConnection.of(page, lambda: inspect.count_memories(user_id, wanted))

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

    @answers("Whom a name, alias, near spelling or first name means; null when nobody, or several.")
    async def person(self, info: ApiInfo, name: str) -> Person | None:
        view = await info.context.services.people.person(info.context.user_id, name)
        return None if view is None else person_seen(view)

    @answers("The ten people trusted most.")
    async def most_trusted_people(self, info: ApiInfo) -> list[Person]:
        return seen(info.context, await info.context.services.people.most_trusted(info.context.user_id))

    @answers("The ten people seen last.")
    async def most_recent_people(self, info: ApiInfo) -> list[Person]:
        return seen(info.context, await info.context.services.people.most_recent(info.context.user_id))

    @answers("The people with evidence in a domain, the most expert first.")
    async def people_by_domain(self, info: ApiInfo, domain: str) -> list[Person]:
        return seen(info.context, await info.context.services.people.by_domain(info.context.user_id, domain))

    @answers("The fifteen people whom an agent should be told of, best first.")
    async def people_for_prompt(self, info: ApiInfo) -> list[Person]:
        return seen(info.context, await info.context.services.people.prompt_list(info.context.user_id))

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

    @answers("What mattered to the user, the latest snapshot first.")
    async def priorities(
        self, info: ApiInfo, first: int | None = 10, after: str | None = strawberry.UNSET
    ) -> PrioritySnapshotConnection:
        page = await info.context.services.priorities(info.context.user_id, first=first, after=given(after))
        return PrioritySnapshotConnection.of(page)

    @answers("What the user should hear of, the latest first.")
    async def notices(self, info: ApiInfo) -> list[Notice]:
        return [Notice.of(each) for each in await info.context.services.notices(info.context.user_id)]

    @answers("What sleep did, the latest run first.")
    async def sleep_runs(
        self, info: ApiInfo, first: int | None = 20, after: str | None = strawberry.UNSET
    ) -> SleepReportConnection:
        page = await info.context.services.sleep.runs(info.context.user_id, first=first, after=given(after))
        return SleepReportConnection.of(page)

    @answers("The latest episodes; with `search` those that hold any of its words, best first.")
    async def episodes(
        self,
        info: ApiInfo,
        search: str | None = strawberry.UNSET,
        first: int | None = 10,
        after: str | None = strawberry.UNSET,
    ) -> EpisodeConnection:
        find, user_id, sought = info.context.services.find_episodes, info.context.user_id, given(search)
        if sought is None:
            return EpisodeConnection.of_listed(await find.listed(user_id, first=first, after=given(after)))
        return EpisodeConnection.of_found(await find.search(user_id, sought, first=first, after=given(after)))

    @answers("The short-term buffer: the last things that were said, the oldest of them first.")
    async def recent_turns(self, info: ApiInfo) -> list[Turn]:
        turns = await info.context.services.find_episodes.recent_turns(info.context.user_id)
        return [Turn.of(each) for each in turns]

    @answers("How the user and the agent stand.")
    async def relationship(self, info: ApiInfo) -> Relationship:
        services = info.context.services
        shown = await services.relationship(info.context.user_id)
        return Relationship.of(shown, services.settings.curation.relationship_rules())

    @answers("What the user chose.")
    async def settings(self, info: ApiInfo) -> UserSettings:
        return UserSettings.of(await info.context.settings())

    @answers("Turns that nothing was drawn from yet, those that are tried next first, then the parked ones.")
    async def waiting_turns(self, info: ApiInfo) -> list[WaitingTurn]:
        turns = await info.context.services.extract.waiting(info.context.user_id)
        return [WaitingTurn.of(turn) for turn in turns]

    @answers("What the user's graph holds.")
    async def stats(self, info: ApiInfo) -> Stats:
        return Stats.of(await info.context.services.inspect.stats(info.context.user_id))

    @answers("What the user's questions to language models used, from the day (of UTC) of `since` on.")
    async def usage(self, info: ApiInfo, since: datetime | None = strawberry.UNSET) -> Usage:
        begins = await info.context.instant("since", given(since))
        return Usage.of(await info.context.services.usage(info.context.user_id, since=begins))
