"""LinkDiscoveryStore on Neo4j: memories whose `link_due_at` has come, what is near them, and their links."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from graph_memory.domain.change import Action, Change
from graph_memory.domain.link import ACYCLIC, Link, LinkType
from graph_memory.domain.link_rules import BY_HAND, Linkable, SharedName
from graph_memory.domain.memory import EMOTIONS, Emotion
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import Ids, LinksWritten, Neighbouring, PlanLinks, Unlinked
from graph_memory.settings import LinkSettings
from graph_memory.stores.connection import Connection, Row, Transaction
from graph_memory.stores.links import would_close_cycle
from graph_memory.stores.rows import change_properties, instant, link_from

_LOOKED_AT_FOR_USERS = 100  # due memories for each user wanted
_BY_ORDER = frozenset({LinkType.PRECEDES, LinkType.SUCCEEDS})


class Neo4jLinkDiscoveryStore:
    """Hands out memories of Neo4j for link discovery, and writes what was found."""

    def __init__(self, connection: Connection, *, ids: Ids, links: LinkSettings) -> None:
        self._connection, self._ids, self._links = connection, ids, links

    async def due_users(self, *, at: datetime, limit: int) -> list[UserId]:
        rows = await self._connection.run(
            "discovery/find_due_users", at=at, memories=_LOOKED_AT_FOR_USERS * limit, limit=limit
        )
        return [UserId(row["user_id"]) for row in rows]

    async def claim(self, user_id: UserId, *, claim: str, limit: int, at: datetime, lease: timedelta) -> list[Unlinked]:
        rows = await self._connection.run(
            "discovery/claim_memories", user_id=user_id, claim=claim, limit=limit, at=at, lease_until=at + lease
        )
        return [_unlinked(row) for row in rows]

    async def due(self, user_id: UserId, *, limit: int, at: datetime) -> list[Unlinked]:
        rows = await self._connection.run("discovery/find_due", user_id=user_id, limit=limit, at=at)
        return [_unlinked(row) for row in rows]

    async def count_due(self, user_id: UserId, *, at: datetime, most: int) -> int:
        [row] = await self._connection.run("discovery/count_due", user_id=user_id, at=at, most=most)
        return int(row["memories"])

    async def standing(self, user_id: UserId, memories: Sequence[MemoryId]) -> list[Link]:
        return await _standing(self._connection, user_id, memories)

    async def neighbours(self, user_id: UserId, memories: Sequence[MemoryId], *, at: datetime) -> list[Neighbouring]:
        links = self._links
        rows = await self._connection.run(
            "discovery/find_neighbours",
            user_id=user_id,
            ids=sorted(memories),
            at=at,
            shared_names_most=links.shared_names_most,
            hops=links.hops,
            hop_factor=links.neighbour_factor,
            hub_degree=links.hub_degree,
            most=2 * links.neighbours,
            pool=links.neighbour_pool,
            nearest=links.neighbours,
        )
        return [_neighbouring(row) for row in rows]

    async def write(
        self,
        user_id: UserId,
        claim: str,
        found: Mapping[MemoryId, Sequence[Link]],
        failed: Mapping[MemoryId, str],
        plan: PlanLinks,
        *,
        at: datetime,
        retry_at: datetime,
        max_attempts: int,
    ) -> LinksWritten:
        async def write_links(transaction: Transaction) -> LinksWritten:
            ends = {*found, *(end for links in found.values() for link in links for end in (link.source, link.target))}
            rows = await transaction.run(
                "discovery/lock_memories",
                user_id=user_id,
                claim=claim,
                at=at,
                ids=sorted(ends),
                hub_degree=self._links.hub_degree,
            )
            locked = {row["id"]: row for row in rows}
            ours = [memory_id for memory_id in found if memory_id in locked and locked[memory_id]["claimed"]]
            wanted = [link for memory_id in ours for link in found[memory_id] if _may_join(link, locked)]
            wanted = list({link.id: link for link in sorted(wanted, key=lambda link: link.weight)}.values())
            made, raised, removed, refused = await self._join(transaction, user_id, wanted, locked, plan, at)
            rows = await transaction.run(
                "discovery/finish_memories",
                user_id=user_id,
                claim=claim,
                rows=[{"id": memory_id, "problem": failed.get(memory_id)} for memory_id in sorted(ours)],
                at=at,
                retry_at=retry_at,
                max_attempts=max_attempts,
            )
            return LinksWritten(
                memories=rows[0]["memories"],
                made=made,
                raised=raised,
                removed=removed,
                refused=refused,
                parked=rows[0]["parked"],
            )

        return await self._connection.transaction(write_links)

    async def _join(
        self,
        transaction: Transaction,
        user_id: UserId,
        wanted: Sequence[Link],
        locked: Mapping[str, Row],
        plan: PlanLinks,
        at: datetime,
    ) -> tuple[int, int, int, int]:
        """How many links were made, raised, removed, refused."""
        if not wanted:
            return 0, 0, 0, 0
        standing = await _standing(transaction, user_id, {end for link in wanted for end in (link.source, link.target)})
        allowed, written, refused = await self._without_cycles(transaction, user_id, wanted, standing, locked, at)
        planned = plan(allowed, standing)
        new = {link.id for link in planned.made}
        await self._write(
            transaction,
            user_id,
            made=[link for link in planned.made if link.id not in written],
            raised=planned.raised,
            removed=[*planned.removed, *(link for key, link in written.items() if key not in new)],
            at=at,
        )
        return len(new), len(planned.raised), len(planned.removed), refused

    async def _without_cycles(
        self,
        transaction: Transaction,
        user_id: UserId,
        wanted: Sequence[Link],
        standing: Sequence[Link],
        locked: Mapping[str, Row],
        at: datetime,
    ) -> tuple[list[Link], dict[str, Link], int]:
        """What closes no cycle; of it what could have, written one after the other; and how many were refused.

        What discovery says of order follows the dates, so it closes none unless somebody says otherwise than they do.
        """
        known = {link.id for link in standing}
        allowed: list[Link] = []
        written: dict[str, Link] = {}
        refused = 0
        for link in sorted(wanted, key=lambda link: link.id):
            if link.id in known or link.id in written or not _may_close_a_cycle(link, locked):
                allowed.append(link)
            elif await would_close_cycle(transaction, user_id, link.type, link.source, link.target):
                refused += 1
            else:
                await self._write(transaction, user_id, made=[link], raised=(), removed=(), at=at)
                written[link.id] = link
                allowed.append(link)
        return allowed, written, refused

    async def _write(
        self,
        transaction: Transaction,
        user_id: UserId,
        *,
        made: Iterable[Link],
        raised: Iterable[Link],
        removed: Iterable[Link],
        at: datetime,
    ) -> None:
        given = {
            "made": [{**_ends(link), "properties": _new_properties(link)} for link in made],
            "raised": [{**_ends(link), "properties": _raised_properties(link)} for link in raised],
            "removed": [{**_ends(link), "change": self._change(link, at)} for link in removed],
        }
        if any(given.values()):
            await transaction.run("discovery/write_links", user_id=user_id, **given, at=at)

    def _change(self, link: Link, at: datetime) -> dict[str, Any] | None:
        """The audit row of a link that somebody made by hand and that had to go."""
        if link.origin != BY_HAND:
            return None
        change = Change(
            id=self._ids.new(),
            target_id=link.source,
            at=at,
            action=Action.UNLINK,
            field="links",
            before=link.id,
            reason="the weakest of too many",
            actor="system",
        )
        return change_properties(change)


def _may_join(link: Link, locked: Mapping[str, Row]) -> bool:
    """Whether both ends are there, this user's, and may get links."""
    source, target = locked.get(link.source), locked.get(link.target)
    return bool(source and target and source["open"] and target["open"])


def _may_close_a_cycle(link: Link, locked: Mapping[str, Row]) -> bool:
    if link.type in _BY_ORDER:
        return bool(locked[link.source]["ordered_by_hand"])
    return link.type in ACYCLIC


def _ends(link: Link) -> dict[str, Any]:
    return {"type": link.type.value, "source_id": link.source, "target_id": link.target}


async def _standing(within: Connection | Transaction, user_id: UserId, memories: Iterable[str]) -> list[Link]:
    rows = await within.run("discovery/find_standing", user_id=user_id, ids=sorted(memories))
    return [link_from(row["link"]) for row in rows]


def _new_properties(link: Link) -> dict[str, Any]:
    told = {"weight": link.weight, "confidence": link.confidence, "reason": link.reason}
    return {**told, "source": link.origin, "discovered": True, "uses": 0}


def _raised_properties(link: Link) -> dict[str, Any]:
    return {"weight": link.weight, "confidence": link.confidence, "reason": link.reason}


def _unlinked(row: Row) -> Unlinked:
    return Unlinked(memory=_linkable(row), text=row["text"], current=row["current"])


def _neighbouring(row: Row) -> Neighbouring:
    return Neighbouring(
        of=MemoryId(row["of"]),
        memory=_linkable(row),
        text=row["text"],
        nearness=row["nearness"],
        shared=tuple(SharedName(each["known_by"], each["name"]) for each in row["shared"]),
        cosine=row["cosine"],
    )


def _linkable(row: Row) -> Linkable:
    emotions = row["emotions"] or [0.0] * len(EMOTIONS)
    return Linkable(
        id=MemoryId(row["id"]),
        occurred_at=instant(row["occurred_at"]),
        dated=row["dated"],
        valid_at=instant(row["valid_at"]),
        invalid_at=instant(row["invalid_at"]),
        session_id=row["session_id"],
        emotion=Emotion(
            **dict(zip(EMOTIONS, emotions, strict=True)), arousal=row["arousal"] or 0.0, valence=row["valence"] or 0.0
        ),
    )
