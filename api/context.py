"""What every resolver of one request shares: the services, the user, the instant, and loaders that ask once."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, tzinfo

from strawberry.dataloader import DataLoader
from strawberry.types import Info

from graph_memory.bootstrap import Services
from graph_memory.domain.dates import in_utc
from graph_memory.domain.memory import Memory
from graph_memory.domain.person import PersonView
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.errors import InvalidValueError, Problem
from graph_memory.ports import NamedNode, UserSettings, Version
from graph_memory.services.inspect import Node
from graph_memory.services.zones import zone_of


class ApiContext:
    """The context of one request."""

    def __init__(self, services: Services, user_id: UserId) -> None:
        self.services, self.user_id = services, user_id
        self.now = services.clock.now()
        self.named_in: DataLoader[MemoryId, list[NamedNode]] = DataLoader(self._load_named_in)
        self.nodes: DataLoader[NodeId, Node | None] = DataLoader(self._load_nodes)
        self.versions: DataLoader[MemoryId, list[Version]] = DataLoader(self._load_versions)
        self.successors: DataLoader[MemoryId, Memory | None] = DataLoader(self._load_successors)
        self.sources: DataLoader[MemoryId, list[Memory]] = DataLoader(self._load_sources)
        self.predecessors: DataLoader[MemoryId, list[Memory]] = DataLoader(self._load_predecessors)
        self.people: DataLoader[NodeId, PersonView | None] = DataLoader(self._load_people)
        self._settings: asyncio.Task[UserSettings] | None = None

    async def settings(self) -> UserSettings:
        """What the user chose, read once a request."""
        if self._settings is None:
            self._settings = asyncio.ensure_future(self.services.inspect.settings(self.user_id))
        return await self._settings

    def drop_settings(self) -> None:
        """They have changed; whoever asks next reads them anew."""
        self._settings = None

    async def zone(self) -> tzinfo:
        """The user's time zone."""
        return zone_of((await self.settings()).time_zone)

    async def tier_profile(self) -> TierProfile:
        """The user's tier profile."""
        return self.services.settings.tier_profile((await self.settings()).tier_profile)

    async def instant(self, name: str, given: datetime | None) -> datetime | None:
        """A date of the input in UTC; one without an offset is read in the user's zone. Raises InvalidValueError."""
        if not given:
            return None
        try:
            return in_utc(given, zone=given.tzinfo or await self.zone())
        except OverflowError:
            raise InvalidValueError("request", [Problem(name, "lies outside the years 1 to 9999")]) from None

    async def at(self, given: datetime | None) -> datetime:
        """The instant that a computed field is asked for; the request's own by default."""
        return await self.instant("at", given) or self.now

    async def _load_named_in(self, ids: Sequence[MemoryId]) -> list[list[NamedNode]]:
        named = await self.services.inspect.named_in(self.user_id, ids)
        return [named.get(each, []) for each in ids]

    async def _load_versions(self, ids: Sequence[MemoryId]) -> list[list[Version]]:
        versions = await self.services.inspect.versions(self.user_id, ids)
        return [versions.get(each, []) for each in ids]

    async def _load_successors(self, ids: Sequence[MemoryId]) -> list[Memory | None]:
        successors = await self.services.inspect.successors(self.user_id, ids)
        return [successors.get(each) for each in ids]

    async def _load_predecessors(self, ids: Sequence[MemoryId]) -> list[list[Memory]]:
        predecessors = await self.services.inspect.predecessors(self.user_id, ids)
        return [predecessors.get(each, []) for each in ids]

    async def _load_sources(self, ids: Sequence[MemoryId]) -> list[list[Memory]]:
        sources = await self.services.inspect.sources(self.user_id, ids)
        return [sources.get(each, []) for each in ids]

    async def _load_people(self, ids: Sequence[NodeId]) -> list[PersonView | None]:
        people = await self.services.people.views(self.user_id, ids)
        return [people.get(each) for each in ids]

    async def _load_nodes(self, ids: Sequence[NodeId]) -> list[Node | None]:
        """Memories in one question; what is none of them, persons and entities mostly, side by side."""
        memories = await self.services.inspect.memories(self.user_id, [MemoryId(each) for each in ids])
        found: dict[str, Memory] = {str(key): memory for key, memory in memories.items()}
        return list(await asyncio.gather(*(self._node(each, found.get(each)) for each in ids)))

    async def _node(self, node_id: NodeId, memory: Memory | None) -> Node | None:
        return memory or await self.services.inspect.node(self.user_id, node_id)


ApiInfo = Info[ApiContext, None]
