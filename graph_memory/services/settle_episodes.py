"""Ended episodes are settled: summed up and added to the relationship, or passed over as too short.

Whoever ends an episode settles it. What was left open, or was ended by somebody who then broke off, is found by its due
date: a step of housekeeping, and of the hourly work of a running process.

Source: constants.md 2.8 (Episode, Relationship).
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from graph_memory.domain.asked import RULES, EpisodeDigest, Question, RelationshipSigns, Utterance
from graph_memory.domain.change import Action, Change
from graph_memory.domain.episode import (
    Episode,
    EpisodeRules,
    Segment,
    end_of,
    ended,
    is_left_behind,
    is_long_enough,
)
from graph_memory.domain.episode_digest import digest_by_rules, opening_of
from graph_memory.domain.relationship import RelationshipRules, is_analysed, known_jokes
from graph_memory.domain.sleep import Planned, StepReport
from graph_memory.domain.vocabulary import NodeId, UserId
from graph_memory.errors import GraphMemoryError, InferenceError
from graph_memory.ports import (
    CallEstimates,
    Clock,
    EpisodePlan,
    EpisodeStore,
    Ids,
    LanguageModel,
    LeaseStore,
    UserSettings,
)
from graph_memory.ports.sleep import Pulse
from graph_memory.services.inspect import Inspect
from graph_memory.services.turn_memories import TurnMemories
from graph_memory.services.would_ask import would_ask

_log = logging.getLogger(__name__)
_BATCH = 100  # episodes, and turns, of one user in one run
_USERS = 1_000  # in one run for everybody
_JOB = "episodes"


class SettleEpisodes:
    """Settles episodes (port SleepStep)."""

    name = "episodes"

    def __init__(
        self,
        *,
        episodes: EpisodeStore,
        memories: TurnMemories,
        model: LanguageModel,
        estimates: CallEstimates,
        inspect: Inspect,
        rules: EpisodeRules,
        relationship: RelationshipRules,
        leases: LeaseStore,
        lease: timedelta,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._episodes, self._memories, self._inspect = episodes, memories, inspect
        self._model, self._estimates = model, estimates
        self._rules, self._relationship = rules, relationship
        self._leases, self._lease = leases, lease
        self._clock, self._ids = clock, ids

    async def settle(self, user_id: UserId, episode_id: NodeId) -> Episode | None:
        """An ended episode, settled, by whoever comes first; one that is open, as it is. None: there is none."""
        episode = (await self._episodes.get(user_id, [episode_id])).get(episode_id)
        if episode is None or episode.is_open or episode.due_at is None:
            return episode
        user = await self._inspect.settings(user_id)
        digest, signs = await self._described(user_id, episode, user)
        return await self._episodes.settle(user_id, episode_id, digest, signs, user=user, at=self._clock.now())

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        """Ends what was left open, settles what was ended, and remembers what was said and not remembered."""
        due = await self._episodes.due(user_id, at=at, limit=_BATCH)
        if dry_run:
            return await self._foreseen(user_id, due, at)
        report = StepReport()
        await pulse(report, done=0, total=len(due) + 1)
        await self._memories.catch_up(user_id, until=at - self._rules.gap, limit=_BATCH)
        for done, episode_id in enumerate(due, 1):
            await pulse(report, done=done, total=len(due) + 1)
            await self._end_if_left(user_id, episode_id, at)
            await self.settle(user_id, episode_id)
        return report

    async def due_users(self, *, at: datetime, limit: int = _USERS) -> Sequence[UserId]:
        """Users for whom there is something to do (port DueUsers)."""
        return await self._episodes.due_users(at=at, limit=limit)

    async def for_everybody(self) -> int:
        """The same for every user for whom something is due; how many users, 0 when another process does it."""
        holder, at = self._ids.new(), self._clock.now()
        if not await self._leases.take(_JOB, holder, at=at, until=at + self._lease):
            return 0
        try:
            users = await self.due_users(at=at)
            for user_id in users:
                await self._quietly(user_id, at)
            return len(users)
        finally:
            await self._leases.give_back(_JOB, holder)

    async def _quietly(self, user_id: UserId, at: datetime) -> None:
        try:
            await self(user_id, at=at, dry_run=False, pulse=_unheard)
        except GraphMemoryError as error:
            _log.warning("episodes are settled later: %s", error)

    async def _foreseen(self, user_id: UserId, due: Sequence[NodeId], at: datetime) -> StepReport:
        """What a run would settle, and what a model would be asked for it; nothing is written."""
        report = StepReport(plan=tuple(Planned(action="settle", text=episode_id) for episode_id in due))
        user = await self._inspect.settings(user_id)
        for episode in (await self._episodes.get(user_id, due)).values():
            if episode.is_open and is_left_behind(episode, at, self._rules):
                episode = ended(episode, episode.active_at)
            if not episode.is_open and is_long_enough(episode, self._rules):
                report = report.plus(await self._foreseen_questions(user_id, episode, user))
        return report

    async def _foreseen_questions(self, user_id: UserId, episode: Episode, user: UserSettings) -> StepReport:
        utterances = [row.value.utterance() for row in await self._episodes.turns(user_id, episode.id)]
        end = end_of(utterances, self._rules.episode_chars)
        report = would_ask(self._estimates, Question.EPISODE, end)
        if is_analysed(episode.duration_seconds or 0.0, len(utterances), self._relationship):
            end = end_of(utterances, self._relationship.analysed_chars)
            jokes = await self._known_jokes(user_id, user)
            report = report.plus(would_ask(self._estimates, Question.RELATIONSHIP, end, known_jokes=jokes))
        return report

    async def _known_jokes(self, user_id: UserId, user: UserSettings) -> Sequence[str]:
        known = await self._episodes.relationship(user_id, zone=user.time_zone)
        return known_jokes(known, self._relationship)

    async def _end_if_left(self, user_id: UserId, episode_id: NodeId, at: datetime) -> None:
        """Ends an episode that has been silent for too long, at its last turn."""

        def plan(episode: Episode | None, _: frozenset[str]) -> EpisodePlan:
            if episode is None or not is_left_behind(episode, at, self._rules):
                return EpisodePlan()
            after = ended(episode, episode.active_at)
            return EpisodePlan((Segment(episode=after, ends=True),), (end_change(self._ids.new(), after, at),))

        user = await self._inspect.settings(user_id)
        await self._episodes.write(user_id, plan, user=user, at=at, episode_id=episode_id)

    async def _described(
        self, user_id: UserId, episode: Episode, user: UserSettings
    ) -> tuple[EpisodeDigest | None, RelationshipSigns | None]:
        if not is_long_enough(episode, self._rules):
            return None, None
        rows = await self._episodes.turns(user_id, episode.id)
        utterances = [row.value.utterance() for row in rows]
        digest = await self._digest(user_id, utterances)
        seconds = episode.duration_seconds or 0.0
        if not is_analysed(seconds, len(utterances), self._relationship):
            return digest, None
        return digest, await self._signs(user_id, utterances, user)

    async def _digest(self, user_id: UserId, utterances: Sequence[Utterance]) -> EpisodeDigest:
        try:
            answer = await self._model.episode(user_id, end_of(utterances, self._rules.episode_chars))
        except InferenceError as error:
            _log.warning("an episode is summed up by the rules: %s", error)
            return digest_by_rules(utterances)
        if answer.by == RULES:  # they see the end alone, and the summary is the beginning
            return replace(answer.value, summary=opening_of(utterances))
        return answer.value

    async def _signs(
        self, user_id: UserId, utterances: Sequence[Utterance], user: UserSettings
    ) -> RelationshipSigns | None:
        jokes = await self._known_jokes(user_id, user)
        try:
            end = end_of(utterances, self._relationship.analysed_chars)
            answer = await self._model.relationship(user_id, end, known_jokes=jokes)
        except InferenceError as error:
            _log.warning("an episode is not looked at for signs of the relationship: %s", error)
            return None
        return answer.value


def end_change(change_id: str, episode: Episode, at: datetime) -> Change:
    """The audit row of an end."""
    return Change(
        id=change_id,
        target_id=episode.id,
        at=at,
        action=Action.END_EPISODE,
        field="ended_at",
        after=episode.ended_at.isoformat(),
    )


async def _unheard(so_far: StepReport, *, done: int, total: int) -> None:
    """The pulse of work that holds no lease."""
