"""Inspect: what a person or application looks up without using it. Nothing here counts as an access."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graph_memory.domain.change import Change
from graph_memory.domain.dates import in_utc
from graph_memory.domain.draft import date_problems
from graph_memory.domain.episode import Episode, Turn
from graph_memory.domain.identity import name_key
from graph_memory.domain.link import FAMILY, Link, LinkFamily, LinkType, parse_link_id
from graph_memory.domain.memory import Memory
from graph_memory.domain.names import NameKind
from graph_memory.domain.text import text_problems
from graph_memory.domain.tiers import touched_span
from graph_memory.domain.vocabulary import MemoryId, MemoryOrder, NodeId, UserId
from graph_memory.errors import InvalidValueError, NotFoundError, Problem
from graph_memory.ports import (
    AuditStore,
    Clock,
    Contradiction,
    DistillationStore,
    EpisodeStore,
    LinkStore,
    MemoryFilter,
    MemoryStore,
    NamedNode,
    NameStore,
    Stats,
    UserSettings,
    UserStore,
    Version,
)
from graph_memory.services.paging import Page, PageRequest, Paging
from graph_memory.services.user_book import UserBook
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

Node = Memory | NamedNode | Link | Change | Episode | Turn
_LISTS = ("kinds", "buckets", "lanes", "categories", "states", "tiers", "tags")
_DATES = ("valid_from", "valid_until", "created_from", "created_until", "as_of", "known_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFilter:
    """People and entities that the memories of a list must refer to; any of them, None asks nothing."""

    people: tuple[str, ...] | None = None
    entities: tuple[str, ...] | None = None


class Inspect:
    """Looks things up."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        names: NameStore,
        links: LinkStore,
        users: UserStore,
        user_book: UserBook,
        audit: AuditStore,
        episodes: EpisodeStore,
        distillation: DistillationStore,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._memories, self._names, self._links, self._users = memories, names, links, users
        self._user_book = user_book
        self._audit, self._episodes, self._distillation = audit, episodes, distillation
        self._clock, self._settings = clock, settings

    async def memory(self, user_id: UserId, memory_id: str) -> Memory:
        """One memory, whatever its state. Raises NotFoundError."""
        found = await self._memories.get(user_id, [MemoryId(memory_id)]) if is_askable(memory_id) else {}
        if MemoryId(memory_id) not in found:
            raise NotFoundError("memory", memory_id)
        return found[MemoryId(memory_id)]

    async def require(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, Memory]:
        """All of these memories. Raises NotFoundError for the first that this user has not."""
        found = await self._memories.get(user_id, [each for each in ids if is_askable(each)])
        for memory_id in ids:
            if memory_id not in found:
                raise NotFoundError("memory", memory_id)
        return found

    async def require_two(self, user_id: UserId, one: str, other: str) -> tuple[Memory, Memory]:
        """Two memories. Raises NotFoundError for the first that this user has not."""
        found = await self.require(user_id, [MemoryId(one), MemoryId(other)])
        return found[MemoryId(one)], found[MemoryId(other)]

    async def memories(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, Memory]:
        """The memories found."""
        return await self._memories.get(user_id, ids)

    async def node(self, user_id: UserId, node_id: str) -> Node | None:
        """The memory, person, entity, link, episode, turn or audit row of an id; None when this user has none of it."""
        if not is_askable(node_id):
            return None
        if parts := parse_link_id(node_id):
            return await self._links.get(user_id, *parts)
        if memory := (await self._memories.get(user_id, [MemoryId(node_id)])).get(MemoryId(node_id)):
            return memory
        if named := (await self._names.get(user_id, [NodeId(node_id)])).get(NodeId(node_id)):
            return named
        if episode := (await self._episodes.get(user_id, [NodeId(node_id)])).get(NodeId(node_id)):
            return episode
        if turn := (await self._episodes.get_turns(user_id, [NodeId(node_id)])).get(NodeId(node_id)):
            return turn
        return await self._audit.change(user_id, node_id)

    async def named_node(self, user_id: UserId, node_id: str) -> NamedNode:
        """One person or entity. Raises NotFoundError."""
        found = await self._names.get(user_id, [NodeId(node_id)]) if is_askable(node_id) else {}
        if NodeId(node_id) not in found:
            raise NotFoundError("person or entity", node_id)
        return found[NodeId(node_id)]

    async def find_memories(
        self,
        user_id: UserId,
        wanted: MemoryFilter,
        request: PageRequest,
        *,
        order: MemoryOrder = MemoryOrder.CREATED_DESC,
        named: NameFilter | None = None,
    ) -> Page[Memory]:
        """One page of the memories that pass a filter, faded and expired ones too unless it says otherwise."""
        wanted, now = await self._checked(user_id, wanted, named), self._clock.now()
        return await Paging(user_id, f"memories {order}", self._settings.pages).page(
            request,
            lambda after, before, backward, limit: self._memories.find(
                user_id, wanted, order=order, after=after, before=before, backward=backward, limit=limit, at=now
            ),
        )

    async def count_memories(self, user_id: UserId, wanted: MemoryFilter, *, named: NameFilter | None = None) -> int:
        """How many memories pass a filter."""
        wanted = await self._checked(user_id, wanted, named)
        return await self._memories.count(user_id, wanted, at=self._clock.now())

    async def find_names(
        self, user_id: UserId, kind: NameKind, *, search: str | None, first: int | None, after: str | None
    ) -> Page[NamedNode]:
        """One page of people or entities, the latest mentioned first; `search` is anywhere in a name."""
        folded = self._folded(search)
        return await Paging(user_id, f"names {kind} {folded}", self._settings.pages).forward_page(
            first,
            after,
            lambda start, limit: self._names.find(user_id, kind, search=folded, after=start, limit=limit),
        )

    async def count_names(self, user_id: UserId, kind: NameKind, *, search: str | None) -> int:
        """How many people or entities match."""
        return await self._names.count(user_id, kind, search=self._folded(search))

    async def named_in(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[NamedNode]]:
        """Whom and what memories refer to."""
        return await self._names.named_in(user_id, ids)

    async def memories_naming(
        self, user_id: UserId, node_id: NodeId, *, first: int | None, after: str | None
    ) -> Page[Memory]:
        """One page of the memories that refer to a person or entity, newest first."""
        return await Paging(user_id, f"naming {node_id}", self._settings.pages).forward_page(
            first,
            after,
            lambda start, limit: self._names.memories_naming(user_id, node_id, after=start, limit=limit),
        )

    async def count_memories_naming(self, user_id: UserId, node_id: NodeId) -> int:
        """How many memories refer to a person or entity."""
        return await self._names.count_memories_naming(user_id, node_id)

    async def links_of(
        self,
        user_id: UserId,
        node_id: NodeId,
        *,
        types: Sequence[LinkType] | None = None,
        families: Sequence[LinkFamily] | None = None,
        first: int | None,
        after: str | None,
    ) -> Page[Link]:
        """One page of a node's links of the types and families asked for, the heaviest first."""
        wanted = [
            each
            for each in LinkType
            if (types is None or each in types) and (families is None or FAMILY[each] in families)
        ]
        return await Paging(user_id, f"links {node_id}", self._settings.pages).forward_page(
            first, after, lambda start, limit: self._links.find(user_id, node_id, wanted, after=start, limit=limit)
        )

    async def changes_of(
        self, user_id: UserId, target_id: str, *, first: int | None, after: str | None
    ) -> Page[Change]:
        """One page of a node's audit rows, the latest first."""
        return await Paging(user_id, f"changes {target_id}", self._settings.pages).forward_page(
            first, after, lambda start, limit: self._audit.changes(user_id, target_id, after=start, limit=limit)
        )

    async def versions(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Version]]:
        """The earlier texts of memories, the oldest first."""
        return await self._audit.versions(user_id, ids)

    async def successors(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, Memory]:
        """What memories gave way to; one that is current has no entry."""
        pairs = await self._audit.successions(user_id, ids, at=self._clock.now())
        found = await self._memories.get(user_id, [new for old, new in pairs if old in set(ids)])
        return {old: found[new] for old, new in pairs if old in set(ids) and new in found}

    async def predecessors(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Memory]]:
        """What gave way to memories."""
        pairs = await self._audit.successions(user_id, ids, at=self._clock.now())
        found = await self._memories.get(user_id, [old for old, new in pairs if new in set(ids)])
        return {each: [found[old] for old, new in pairs if new == each and old in found] for each in ids}

    async def sources(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Memory]]:
        """What memories were drawn from in sleep, the oldest first; one that was not has none."""
        drawn = await self._distillation.sources(user_id, ids)
        found = await self._memories.get(user_id, sorted({each for sources in drawn.values() for each in sources}))
        return {each: [found[source] for source in drawn.get(each, ()) if source in found] for each in ids}

    async def contradictions(
        self, user_id: UserId, *, settled: bool | None, first: int | None, after: str | None
    ) -> Page[Contradiction]:
        """One page of contradictions, the latest first."""
        return await Paging(user_id, f"contradictions {settled}", self._settings.pages).forward_page(
            first,
            after,
            lambda start, limit: self._audit.contradictions(user_id, settled=settled, after=start, limit=limit),
        )

    async def settings(self, user_id: UserId) -> UserSettings:
        """What a user chose, or the defaults."""
        return await self._user_book.of(user_id)

    async def stats(self, user_id: UserId) -> Stats:
        """What a user's graph holds."""
        user = await self.settings(user_id)
        profile = self._settings.tier_profile(user.tier_profile)
        return await self._users.stats(user_id, profile=profile, at=self._clock.now())

    async def _checked(self, user_id: UserId, wanted: MemoryFilter, named: NameFilter | None) -> MemoryFilter:
        """The filter as the store takes it: dates in UTC, tiers as spans of time, names folded."""
        named = named or NameFilter()
        if problems := list(self._filter_problems(wanted, named)):
            raise InvalidValueError("filter", problems)
        now = self._clock.now()
        dates = {name: date for name in _DATES if (date := getattr(wanted, name)) is not None}
        naive = any(date.tzinfo is None for date in dates.values())
        user = await self.settings(user_id) if naive or wanted.tiers else UserSettings()
        instants = {name: in_utc(date, zone=zone_of(user.time_zone)) for name, date in dates.items()}
        if {"as_of", "known_at"} & set(instants):  # one that is not given is now
            instants = {"as_of": now, "known_at": now, **instants}
        wanted = replace(wanted, **instants)  # type: ignore[arg-type]  # the names of dates
        if wanted.tiers is not None:
            profile = self._settings.tier_profile(user.tier_profile)
            spans = tuple(touched_span(tier, now, profile=profile) for tier in wanted.tiers)
            wanted = replace(wanted, touched=spans)
        keys = sorted(map(name_key, (*(named.people or ()), *(named.entities or ()))))
        return replace(wanted, name_keys=tuple(keys)) if keys else wanted

    def _filter_problems(self, wanted: MemoryFilter, named: NameFilter) -> Iterable[Problem]:
        limit = self._settings.limits.text_characters
        if wanted.text is not None:
            yield from text_problems("text", wanted.text, most_characters=limit)
        given = {name: getattr(wanted, name) for name in _LISTS} | {"people": named.people, "entities": named.entities}
        for name, values in given.items():
            if values == ():
                yield Problem(name, "is an empty list, which nothing passes; leave it out to ask for all")
        names = {name: getattr(wanted, name) for name in ("session_id", "agent_id", "external_id")}
        for name, value in names.items():
            if value is not None:
                yield from text_problems(name, value, most_characters=limit)
        for name in ("buckets", "tags", "people", "entities"):
            for text in given[name] or ():
                yield from text_problems(name, text, most_characters=limit)
        for name in _DATES:
            yield from date_problems(name, getattr(wanted, name))

    def _folded(self, search: str | None) -> str | None:
        if search is None:
            return None
        if problems := text_problems("search", search, most_characters=self._settings.limits.name_characters):
            raise InvalidValueError("search", problems)
        return name_key(search)


def is_askable(identifier: str) -> bool:
    """Whether an id can be sent to the store at all; one that cannot is simply unknown."""
    return not text_problems("id", identifier, most_characters=1_000)
