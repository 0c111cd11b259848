"""Episodes: a chat begins, turns come, it ends.

Turns go into an episode that the caller names (`add_turns`), or find theirs by themselves (`say`): the open one, or a
new one behind a silence longer than the session gap, which ends the old one at its last turn.

Source: constants.md 2.8 (Short-term, Episode).
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from graph_memory.domain.change import Action, Change
from graph_memory.domain.dates import in_utc
from graph_memory.domain.draft import date_problems
from graph_memory.domain.episode import (
    Episode,
    EpisodeRules,
    Segment,
    TurnDraft,
    appended,
    begun,
    ended,
    told,
    turns_problems,
)
from graph_memory.domain.vocabulary import NodeId, UserId
from graph_memory.errors import ConflictError, GraphMemoryError, InvalidValueError, NotFoundError, Problem
from graph_memory.ports import Clock, EpisodePlan, EpisodeStore, Ids, UserSettings
from graph_memory.services.drawn import remnants
from graph_memory.services.find_episodes import askable_episode
from graph_memory.services.inspect import Inspect
from graph_memory.services.mend_insights import MendInsights
from graph_memory.services.name_books import NameBooks
from graph_memory.services.settle_episodes import SettleEpisodes, end_change
from graph_memory.services.turn_memories import TurnMemories
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

_log = logging.getLogger(__name__)
_TRIES = 5  # when what was concluded from an episode has moved on meanwhile


class Episodes:
    """Keeps track of chats."""

    def __init__(
        self,
        *,
        episodes: EpisodeStore,
        memories: TurnMemories,
        settle: SettleEpisodes,
        inspect: Inspect,
        mend: MendInsights,
        books: NameBooks,
        rules: EpisodeRules,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._episodes, self._memories, self._settle, self._inspect = episodes, memories, settle, inspect
        self._mend, self._books = mend, books
        self._rules, self._clock, self._ids, self._settings = rules, clock, ids, settings
        self._behind: set[asyncio.Task[None]] = set()

    async def settled(self) -> None:
        """Returns when every episode that `say` ended is summed up, or was left for later."""
        while self._behind:
            await asyncio.gather(*self._behind, return_exceptions=True)

    close = settled

    async def start(self, user_id: UserId, *, at: datetime | None = None) -> Episode:
        """Begins an episode; others that are open stay so. Raises InvalidValueError."""
        user, now = await self._inspect.settings(user_id), self._clock.now()
        started_at = _instant("episode", at, zone_of(user.time_zone)) or now

        def plan(_: Episode | None, __: frozenset[str]) -> EpisodePlan:
            episode = begun(NodeId(self._ids.new()), started_at, self._rules)
            return EpisodePlan((Segment(episode=episode, is_new=True),), (self._start_change(episode, now),))

        return await self._write_one(user_id, plan, user=user, at=now)

    async def add_turns(self, user_id: UserId, episode_id: str, drafts: Sequence[TurnDraft]) -> Episode:
        """Adds turns to an open episode, and remembers what the user says in them.

        Raises: InvalidValueError for turns that break rules or lie before the episode; NotFoundError; ConflictError
        when the episode has ended.
        """
        user, now = await self._inspect.settings(user_id), self._clock.now()
        placed = self._checked(drafts, zone_of(user.time_zone))

        def plan(episode: Episode | None, known: frozenset[str]) -> EpisodePlan:
            new = _fresh(placed, known)
            if episode is None:
                raise NotFoundError("episode", episode_id)
            if not new:  # all of them were stored before
                return EpisodePlan()
            if not episode.is_open:
                raise ConflictError(f"episode {episode_id} has ended; begin another")
            return EpisodePlan((appended(episode, new, at=now, new_id=self._ids.new, rules=self._rules),))

        named = askable_episode(episode_id)
        written = await self._episodes.write(user_id, plan, user=user, at=now, episode_id=named, keys=_keys(placed))
        await self._memories(user_id, written.turns)
        return next(each for each in written.episodes if each.id == named)

    async def say(self, user_id: UserId, drafts: Sequence[TurnDraft]) -> list[Episode]:
        """Adds turns to the open episode with the latest sign of life, or begins one; all that got any, by their start.

        A silence longer than the session gap ends an episode at its last turn, and it is summed up behind the answer.
        Raises InvalidValueError for turns that break rules or lie before the open episode.
        """
        user, now = await self._inspect.settings(user_id), self._clock.now()
        placed = self._checked(drafts, zone_of(user.time_zone))

        def plan(open_episode: Episode | None, known: frozenset[str]) -> EpisodePlan:
            new = _fresh(placed, known)
            if not new:
                return EpisodePlan()
            segments = told(open_episode, new, at=now, new_id=self._ids.new, rules=self._rules)
            return EpisodePlan(tuple(segments), tuple(self._changes(segments, now)))

        written = await self._episodes.write(user_id, plan, user=user, at=now, keys=_keys(placed))
        await self._memories(user_id, written.turns)
        self._settle_behind(user_id, [each.id for each in written.episodes if not each.is_open])
        said_in = {turn.episode_id for turn in written.turns}
        return [each for each in written.episodes if each.id in said_in or not said_in]

    async def end(self, user_id: UserId, episode_id: str | None, *, at: datetime | None = None) -> Episode:
        """Ends an episode and sums it up; one that has ended is answered as it is.

        Args:
            user_id: whose episode it is.
            episode_id: which; None: the open one with the latest sign of life.
            at: when; None: now, or the last turn where that lies ahead.

        Raises: InvalidValueError for an end before the last turn; NotFoundError; ConflictError for an episode that has
        ended at another time than `at`.
        """
        user, now = await self._inspect.settings(user_id), self._clock.now()
        given = _instant("episode", at, zone_of(user.time_zone))

        def plan(episode: Episode | None, _: frozenset[str]) -> EpisodePlan:
            if episode is None:
                raise NotFoundError("episode", episode_id or "of the open one")
            if not episode.is_open:
                if given is not None and given != episode.ended_at:
                    raise ConflictError(f"episode {episode.id} has ended at {episode.ended_at.isoformat()}")
                return EpisodePlan()
            after = ended(episode, _end(episode, given, now))
            return EpisodePlan((Segment(episode=after, ends=True),), (end_change(self._ids.new(), after, now),))

        named = None if episode_id is None else askable_episode(episode_id)
        episode = await self._write_one(user_id, plan, user=user, at=now, episode_id=named)
        return await self._settle.settle(user_id, episode.id) or episode

    async def delete(self, user_id: UserId, episode_id: str) -> None:
        """Removes an episode with its turns and its share of the relationship; memories made of its turns stay.

        What was concluded from it and others is said anew from the others, or goes. Raises NotFoundError.
        """
        user, now = await self._inspect.settings(user_id), self._clock.now()
        named, zone = askable_episode(episode_id), zone_of(user.time_zone)
        change = Change(id=self._ids.new(), target_id=named, at=now, action=Action.DELETE_EPISODE)
        left = remnants(user_id, zone=zone, at=now, ids=self._ids, settings=self._settings)
        for attempt in range(1, _TRIES + 1):
            insights = await self._mend(user_id, named, zone=zone, at=now)
            try:
                known = await self._episodes.delete(user_id, named, change, insights=insights, remnants=left, user=user)
                break
            except ConflictError:
                if attempt == _TRIES:
                    raise
        if not known:
            raise NotFoundError("episode", episode_id)
        self._books.drop(user_id)

    async def _write_one(
        self,
        user_id: UserId,
        plan: Callable[[Episode | None, frozenset[str]], EpisodePlan],
        *,
        user: UserSettings,
        at: datetime,
        episode_id: NodeId | None = None,
    ) -> Episode:
        written = await self._episodes.write(user_id, plan, user=user, at=at, episode_id=episode_id)
        return written.episodes[0]

    def _checked(self, drafts: Sequence[TurnDraft], zone: tzinfo) -> list[TurnDraft]:
        if problems := list(turns_problems(drafts, self._settings.limits)):
            raise InvalidValueError("turns", problems)
        return [replace(draft, at=None if draft.at is None else in_utc(draft.at, zone=zone)) for draft in drafts]

    def _changes(self, segments: Iterable[Segment], now: datetime) -> Iterable[Change]:
        for segment in segments:
            if segment.is_new:
                yield self._start_change(segment.episode, now)
            if segment.ends:
                yield end_change(self._ids.new(), segment.episode, now)

    def _start_change(self, episode: Episode, now: datetime) -> Change:
        return Change(
            id=self._ids.new(),
            target_id=episode.id,
            at=now,
            action=Action.START_EPISODE,
            field="started_at",
            after=episode.started_at.isoformat(),
        )

    def _settle_behind(self, user_id: UserId, ids: Sequence[NodeId]) -> None:
        for episode_id in ids:
            task = asyncio.create_task(self._settle_quietly(user_id, episode_id))
            self._behind.add(task)
            task.add_done_callback(self._behind.discard)

    async def _settle_quietly(self, user_id: UserId, episode_id: NodeId) -> None:
        try:
            await self._settle.settle(user_id, episode_id)
        except GraphMemoryError as error:
            _log.warning("an episode is summed up later: %s", error)


def _end(episode: Episode, given: datetime | None, now: datetime) -> datetime:
    if given is None:
        return max(now, episode.active_at)
    if given < episode.active_at:
        told_at = episode.active_at.isoformat()
        raise InvalidValueError("episode", [Problem("at", f"lies before the last turn, or the start, at {told_at}")])
    return given


def _fresh(drafts: Sequence[TurnDraft], known: frozenset[str]) -> list[TurnDraft]:
    """The drafts whose keys no stored turn bears, each key once."""
    held = set(known)
    fresh = []
    for draft in drafts:
        if draft.idempotency_key is None or draft.idempotency_key not in held:
            fresh.append(draft)
            held.update([draft.idempotency_key] if draft.idempotency_key else [])
    return fresh


def _keys(drafts: Iterable[TurnDraft]) -> list[str]:
    return list(dict.fromkeys(draft.idempotency_key for draft in drafts if draft.idempotency_key is not None))


def _instant(what: str, given: datetime | None, zone: tzinfo) -> datetime | None:
    if problems := list(date_problems("at", given)):
        raise InvalidValueError(what, problems)
    return None if given is None else in_utc(given, zone=zone)
