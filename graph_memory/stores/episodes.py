"""EpisodeStore on Neo4j. Changes of one user's episodes come one after the other: each begins by locking the user."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from graph_memory.domain.asked import EpisodeDigest, RelationshipSigns
from graph_memory.domain.change import Change
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.episode import Episode, EpisodeRules, Segment, Turn, is_long_enough, without_exchanges
from graph_memory.domain.episode_digest import digest_by_rules
from graph_memory.domain.relationship import (
    Relationship,
    RelationshipRules,
    after_episode,
    comes_in_order,
    is_analysed,
    relationship_of,
)
from graph_memory.domain.relationship_signs import signs_by_rules
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.errors import ConflictError
from graph_memory.ports import EpisodePlan, EpisodesWritten, MendedInsight, Position, Remnants, UserSettings
from graph_memory.ports import Row as ListedRow
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.episode_rows import (
    digest_properties,
    episode_from,
    new_episode_properties,
    progress_properties,
    relationship_from,
    relationship_properties,
    share_from,
    share_of,
    signs_properties,
    turn_from,
    turn_properties,
)
from graph_memory.stores.full_text import lucene_query
from graph_memory.stores.owners import OwnerTurns, lock_owner
from graph_memory.stores.positions import after_position, position_at
from graph_memory.stores.reflection import find_insights
from graph_memory.stores.rows import change_properties
from graph_memory.stores.succession import lock

if TYPE_CHECKING:
    from graph_memory.stores.memories import Neo4jMemoryStore

_ALL_TURNS = 1_000_000
_NEARLY_OPEN = FAR_FUTURE - timedelta(days=1)  # of two equal instants one can be greater, by the name of its zone
_DUE_POOL = 1_000  # episodes and turns that the users due are taken from
_MOST_WORDS = 64  # Lucene refuses very long lists of clauses


class Neo4jEpisodeStore:
    """Keeps episodes in Neo4j."""

    def __init__(self, connection: Connection, memories: "Neo4jMemoryStore", *, rules: RelationshipRules) -> None:
        self._connection, self._memories, self._rules = connection, memories, rules
        self._in_turn = OwnerTurns(connection)

    async def write(
        self,
        user_id: UserId,
        plan: Callable[[Episode | None, frozenset[str]], EpisodePlan],
        *,
        user: UserSettings,
        at: datetime,
        episode_id: NodeId | None = None,
        keys: Sequence[str] = (),
    ) -> EpisodesWritten:
        async def write_episodes(transaction: Transaction) -> EpisodesWritten:
            await lock_owner(transaction, user_id, user, at=at)
            replayed = await transaction.run("episodes/find_replayed", user_id=user_id, keys=list(keys)) if keys else []
            episode = await _named_or_open(transaction, user_id, episode_id)
            planned = plan(episode, frozenset(row["key"] for row in replayed))
            for segment in planned.segments:
                await _write(transaction, user_id, segment, planned.changes, at=at)
            concerned = [segment.episode.id for segment in planned.segments]
            concerned += [NodeId(row["episode_id"]) for row in replayed]
            found = await _get(transaction, user_id, concerned or ([episode.id] if episode else []))
            return EpisodesWritten(
                episodes=tuple(sorted(found.values(), key=lambda each: (each.started_at, each.id))),
                turns=tuple(turn for segment in planned.segments for turn in segment.turns),
            )

        return await self._in_turn.transaction(user_id, write_episodes)

    async def get(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, Episode]:
        return await _get(self._connection, user_id, ids)

    async def get_turns(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, Turn]:
        rows = await self._connection.run("episodes/get_turns", user_id=user_id, ids=list(dict.fromkeys(ids)))
        turns = [turn_from(row["turn"]) for row in rows]
        return {turn.id: turn for turn in turns}

    async def listed(
        self, user_id: UserId, *, after: Position | None, limit: int, most: int, recorded: bool = False
    ) -> list[ListedRow[Episode]]:
        rows = await self._connection.run(
            "episodes/find_episodes",
            user_id=user_id,
            recorded=recorded,
            most=most,
            **after_position(after),
            limit=limit,
        )
        episodes = [episode_from(row["episode"]) for row in rows]
        return [ListedRow(episode, position_at(episode.started_at, episode.id)) for episode in episodes]

    async def found(
        self, user_id: UserId, words: Sequence[str], index_terms: Sequence[str], *, most: int, most_turns: int
    ) -> list[tuple[Episode, tuple[str, ...]]]:
        words, terms = words[:_MOST_WORDS], index_terms[:_MOST_WORDS]
        digests, turns = (
            lucene_query(user_id, field=field, terms_field="script_terms", words=words, index_terms=terms)
            for field in ("search_text", "text")
        )
        told, heard = await asyncio.gather(
            self._connection.run("episodes/search_episodes", user_id=user_id, text_query=digests, pool=most),
            self._connection.run("episodes/search_turns", user_id=user_id, text_query=turns, pool=most_turns),
        )
        episodes = {each.id: each for each in (episode_from(row["episode"]) for row in told)}
        said: dict[NodeId, list[str]] = {}
        for row in heard:
            said.setdefault(NodeId(row["episode_id"]), []).append(row["text"])
        if missing := [episode_id for episode_id in said if episode_id not in episodes]:
            episodes |= await _get(self._connection, user_id, missing)
        return [(episode, tuple(said.get(episode.id, ()))) for episode in episodes.values()]

    async def turns(
        self, user_id: UserId, episode_id: NodeId, *, after: Position | None = None, limit: int | None = None
    ) -> list[ListedRow[Turn]]:
        turns = await _turns(self._connection, user_id, episode_id, after=after, limit=limit)
        return [ListedRow(turn, position_at(turn.occurred_at, turn.id)) for turn in turns]

    async def recent_turns(self, user_id: UserId, *, limit: int) -> list[Turn]:
        rows = await self._connection.run("episodes/find_recent_turns", user_id=user_id, limit=limit)
        return [turn_from(row["turn"]) for row in reversed(rows)]

    async def delete(
        self,
        user_id: UserId,
        episode_id: NodeId,
        change: Change,
        *,
        insights: Sequence[MendedInsight],
        remnants: Remnants,
        user: UserSettings,
    ) -> bool:
        async def delete_episode(transaction: Transaction) -> bool:
            zone = await lock_owner(transaction, user_id, user, at=change.at)
            found = (await _get(transaction, user_id, [episode_id])).get(episode_id)
            if found is None:
                return False
            await lock(transaction, user_id, [each.drawn.memory.id for each in insights])
            if await find_insights(transaction, user_id, episode_id) != [each.drawn for each in insights]:
                raise ConflictError(f"what was concluded from episode {episode_id} has changed")
            await self._memories.mend_insights_in(transaction, user_id, insights, remnants, at=change.at)
            await transaction.run(
                "episodes/delete_episode", user_id=user_id, id=episode_id, change=change_properties(change)
            )
            if found.is_recorded:
                await _fold_anew(transaction, user_id, zone=zone, rules=self._rules)
            return True

        return await self._in_turn.transaction(user_id, delete_episode)

    async def settle(
        self,
        user_id: UserId,
        episode_id: NodeId,
        digest: EpisodeDigest | None,
        signs: RelationshipSigns | None,
        *,
        user: UserSettings,
        at: datetime,
    ) -> Episode | None:
        async def settle_episode(transaction: Transaction) -> Episode | None:
            zone = await lock_owner(transaction, user_id, user, at=at)
            before = (await _get(transaction, user_id, [episode_id])).get(episode_id)
            if before is None or before.is_open or before.due_at is None:
                return before
            after = replace(before, due_at=None, digest=digest, signs=signs)
            await _describe(transaction, user_id, after)
            if digest is not None:
                await self._add_share(transaction, user_id, after, zone=zone)
            return after

        return await self._in_turn.transaction(user_id, settle_episode)

    async def remembered(
        self, user_id: UserId, memories: Sequence[tuple[NodeId, MemoryId | None]], *, at: datetime
    ) -> None:
        rows = [{"turn_id": turn_id, "memory_id": memory_id} for turn_id, memory_id in memories]

        async def link_memories(transaction: Transaction) -> None:
            await lock_owner(transaction, user_id, UserSettings(), at=at)  # so that no turn is added meanwhile
            await transaction.run("episodes/link_memories", user_id=user_id, rows=rows, at=at)

        await self._in_turn.transaction(user_id, link_memories)

    async def due(self, user_id: UserId, *, at: datetime, limit: int) -> list[NodeId]:
        rows = await self._connection.run("episodes/find_due", user_id=user_id, at=at, limit=limit)
        return [NodeId(row["id"]) for row in rows]

    async def unremembered(self, user_id: UserId, *, until: datetime, limit: int) -> list[Turn]:
        rows = await self._connection.run("episodes/find_unremembered", user_id=user_id, until=until, limit=limit)
        return [turn_from(row["turn"]) for row in rows]

    async def due_users(self, *, at: datetime, limit: int) -> list[UserId]:
        rows = await self._connection.run("episodes/find_due_users", at=at, pool=_DUE_POOL, limit=limit)
        return [UserId(row["user_id"]) for row in rows]

    async def relationship(self, user_id: UserId, *, zone: str) -> Relationship:
        rows = await self._connection.run("relationships/get_relationship", user_id=user_id)
        if not rows or "sessions" not in rows[0]["relationship"]:
            return Relationship()
        stored = rows[0]["relationship"]
        if stored["time_zone"] == zone:
            return relationship_from(stored)
        return await _folded(self._connection, user_id, zone=zone, rules=self._rules)

    async def _add_share(self, transaction: Transaction, user_id: UserId, episode: Episode, *, zone: str) -> None:
        """Adds an episode to the relationship; one that comes late, or into another zone, has it folded anew."""
        rows = await transaction.run("relationships/get_relationship", user_id=user_id)
        stored = rows[0]["relationship"] if rows else {"time_zone": zone}
        before = relationship_from(stored) if "sessions" in stored else Relationship()
        if stored["time_zone"] != zone or not comes_in_order(before, episode.started_at):
            await _fold_anew(transaction, user_id, zone=zone, rules=self._rules)
            return
        after = after_episode(before, share_of(episode), zone=ZoneInfo(zone), rules=self._rules)
        await _store(transaction, user_id, after, zone=zone)


async def forget_turns(
    transaction: Transaction,
    user_id: UserId,
    memory_id: MemoryId,
    *,
    episodes: EpisodeRules,
    relationship: RelationshipRules,
    at: datetime,
) -> int:
    """Removes the exchanges that a memory was made of, and what their episodes say of them; how many episodes.

    A summed up episode is summed up anew by the rules from what is left, or not at all when that is too little, and
    the relationship follows.
    """
    rows = await transaction.run("episodes/find_turns_of_memory", user_id=user_id, memory_id=memory_id)
    if not rows:
        return 0
    zone = await lock_owner(transaction, user_id, UserSettings(), at=at)
    erased = frozenset(NodeId(row["id"]) for row in rows)
    concerned = await _get(transaction, user_id, sorted({NodeId(row["episode_id"]) for row in rows}))
    for episode in concerned.values():
        turns = await _turns(transaction, user_id, episode.id)
        left = without_exchanges(turns, erased)
        gone = sorted({turn.id for turn in turns} - {turn.id for turn in left})
        await transaction.run("episodes/delete_turns", user_id=user_id, ids=gone)
        await transaction.run("episodes/join_turns", user_id=user_id, episode_id=episode.id, at=at)
        after = _without(episode, left, episodes, relationship)
        await _describe(transaction, user_id, after)
    if any(episode.is_recorded for episode in concerned.values()):
        await _fold_anew(transaction, user_id, zone=zone, rules=relationship)
    return len(concerned)


def _without(episode: Episode, left: Sequence[Turn], rules: EpisodeRules, relationship: RelationshipRules) -> Episode:
    """The episode with only the turns that are left."""
    last = max((turn.occurred_at for turn in left), default=None)
    after = replace(episode, last_turn_at=last, turn_count=len(left))
    if not episode.is_recorded:
        return after
    utterances = [turn.utterance() for turn in left]
    if not is_long_enough(after, rules):
        return replace(after, digest=None, signs=None)
    seconds = after.duration_seconds or 0.0
    analysed = episode.signs is not None and is_analysed(seconds, len(left), relationship)
    return replace(after, digest=digest_by_rules(utterances), signs=signs_by_rules(utterances) if analysed else None)


async def _named_or_open(transaction: Transaction, user_id: UserId, episode_id: NodeId | None) -> Episode | None:
    if episode_id is not None:
        return (await _get(transaction, user_id, [episode_id])).get(episode_id)
    rows = await transaction.run("episodes/find_latest_open", user_id=user_id, ended_after=_NEARLY_OPEN)
    return episode_from(rows[0]["episode"]) if rows else None


async def _get(source: Connection | Transaction, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, Episode]:
    rows = await source.run("episodes/get_episodes", user_id=user_id, ids=list(dict.fromkeys(ids)))
    episodes = [episode_from(row["episode"]) for row in rows]
    return {episode.id: episode for episode in episodes}


async def _turns(
    source: Connection | Transaction,
    user_id: UserId,
    episode_id: NodeId,
    *,
    after: Position | None = None,
    limit: int | None = None,
) -> list[Turn]:
    rows = await source.run(
        "episodes/find_turns",
        user_id=user_id,
        episode_id=episode_id,
        **after_position(after),
        limit=_ALL_TURNS if limit is None else limit,
    )
    return [turn_from(row["turn"]) for row in rows]


async def _write(
    transaction: Transaction, user_id: UserId, segment: Segment, changes: Sequence[Change], *, at: datetime
) -> None:
    episode = segment.episode
    if segment.is_new:
        properties = new_episode_properties(user_id, episode)
        await transaction.run("episodes/add_episode", user_id=user_id, id=episode.id, properties=properties, at=at)
    if segment.turns:
        rows = [turn_properties(user_id, turn, at=at) for turn in segment.turns]
        await transaction.run("episodes/add_turns", user_id=user_id, episode_id=episode.id, rows=rows)
        await transaction.run("episodes/join_turns", user_id=user_id, episode_id=episode.id, at=at)
    await transaction.run(
        "episodes/write_episode",
        user_id=user_id,
        id=episode.id,
        properties=progress_properties(episode),
        changes=[change_properties(change) for change in changes if change.target_id == episode.id],
    )


async def _describe(transaction: Transaction, user_id: UserId, episode: Episode) -> None:
    await transaction.run(
        "episodes/write_episode",
        user_id=user_id,
        id=episode.id,
        properties={
            **progress_properties(episode),
            **digest_properties(episode.digest),
            **signs_properties(episode.signs),
        },
        changes=[],
    )


async def _fold_anew(transaction: Transaction, user_id: UserId, *, zone: str, rules: RelationshipRules) -> None:
    await _store(transaction, user_id, await _folded(transaction, user_id, zone=zone, rules=rules), zone=zone)


async def _folded(
    source: Connection | Transaction, user_id: UserId, *, zone: str, rules: RelationshipRules
) -> Relationship:
    """The relationship that all recorded episodes show together."""
    rows = await source.run("relationships/find_shares", user_id=user_id)
    return relationship_of((share_from(row["share"]) for row in rows), zone=ZoneInfo(zone), rules=rules)


async def _store(transaction: Transaction, user_id: UserId, relationship: Relationship, *, zone: str) -> None:
    properties = relationship_properties(relationship, zone=zone)
    await transaction.run("relationships/write_relationship", user_id=user_id, properties=properties)
