"""Agent context: what an agent should know before anybody asks, as text for its prompt.

Parts in a fixed order, each with at most its share of the budget and cut from the end, so that a long part never
pushes out the next. Nothing here counts as a use.

Source: operations.md, Recall (agentContext); constants.md 2.5 (context text), 2.9 (layers of context).
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from graph_memory.domain.dates import age_words, date_words
from graph_memory.domain.draft import identifier_problems
from graph_memory.domain.episode import Episode
from graph_memory.domain.person import PersonView
from graph_memory.domain.prompt_text import BYTES_PER_TOKEN, fenced, memory_line
from graph_memory.domain.relationship_text import relationship_lines
from graph_memory.domain.tiers import touched_span
from graph_memory.domain.vocabulary import DEFAULT_BUCKET, GENERAL_BUCKET, MemoryId, Tier, UserId
from graph_memory.errors import InvalidValueError, Problem
from graph_memory.ports import Clock, ContextStore, Ids, MemoryStore, UserSettings
from graph_memory.services.find_episodes import FindEpisodes
from graph_memory.services.inspect import Inspect
from graph_memory.services.people import People
from graph_memory.services.relationship import LookUpRelationship
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

_EPISODES = "Talked of lately"
_NEXT_LINE = "\n- "  # how the fence begins each line
_LEAST_LINE_BYTES = 24  # "- [1 May 2031; imported]": no line of a memory is shorter


@dataclass(slots=True, kw_only=True)
class _Asked:
    """One question for context, and which memories its earlier parts have told."""

    user_id: UserId
    user: UserSettings
    buckets: tuple[str, ...] | None
    episodes: int  # how many of the last
    share_bytes: int  # most bytes of a part
    at: datetime
    zone: tzinfo
    told: set[MemoryId] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    memory_id: MemoryId | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """One part: its heading, what may stand below it, the most telling first, and a bound of its own."""

    heading: str
    lines: Callable[[_Asked], Awaitable[list[_Line]]]
    most_bytes: int | None = None


class AgentContext:
    """Tells an agent what it should know."""

    def __init__(
        self,
        *,
        contexts: ContextStore,
        memories: MemoryStore,
        people: People,
        episodes: FindEpisodes,
        relationship: LookUpRelationship,
        inspect: Inspect,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._contexts, self._memories, self._people, self._inspect = contexts, memories, people, inspect
        self._episodes, self._relationship = episodes, relationship
        self._clock, self._ids, self._settings = clock, ids, settings
        self._parts = (
            _Part("Pinned, and used lately", self._hot, settings.curation.hot_bytes),
            _Part("Known facts", self._facts),
            _Part("Observed so far", self._observations),
            _Part(_EPISODES, self._last_episodes),
            _Part("You and the user", self._how_they_stand),
            _Part("People", self._known_people),
        )

    async def __call__(
        self,
        user_id: UserId,
        *,
        token_budget: int | None = None,
        bucket: str | None = None,
        episodes: int | None = None,
    ) -> str:
        """The text, fenced as data; empty when there is nothing to tell. Raises InvalidValueError.

        Args:
            user_id: whose agent asks.
            token_budget: most tokens of the whole; None: the setting `recall.context_tokens`.
            bucket: only what belongs there or is of use everywhere; None: all. Episodes belong to bucket `default`, as
                what is said in them does; people and the relationship to none.
            episodes: how many of the last episodes; None: the setting `curation.episodes_in_context`.
        """
        budget = self._settings.recall.context_tokens if token_budget is None else token_budget
        episodes = self._settings.curation.episodes_in_context if episodes is None else episodes
        if problems := self._problems(budget, bucket, episodes):
            raise InvalidValueError("context", problems)
        asked = await self._asked(user_id, budget, bucket, episodes)
        lines: list[_Line] = []
        for part in self._parts:
            heading, *told = _within([_Line(f"{part.heading}:"), *await part.lines(asked)], asked, part.most_bytes)
            if told:
                lines += [heading, *told]
                asked.told.update(line.memory_id for line in told if line.memory_id)
        return self._fenced([line.text for line in lines], budget)

    def _problems(self, budget: int, bucket: str | None, episodes: int) -> list[Problem]:
        problems = list(identifier_problems("bucket", bucket, self._settings.limits))
        most = self._settings.recall.context_tokens_max
        if not 1 <= budget <= most:
            problems.append(Problem("token_budget", f"is {budget}; it must lie in 1..{most}"))
        if not 0 <= episodes <= self._settings.curation.episodes_listed:
            listed = self._settings.curation.episodes_listed
            problems.append(Problem("episodes", f"is {episodes}; it must lie in 0..{listed}"))
        return problems

    async def _asked(self, user_id: UserId, budget: int, bucket: str | None, episodes: int) -> _Asked:
        user = await self._inspect.settings(user_id)
        return _Asked(
            user_id=user_id,
            user=user,
            buckets=None if bucket is None else tuple(dict.fromkeys((bucket, GENERAL_BUCKET))),
            episodes=episodes,
            share_bytes=int(budget * BYTES_PER_TOKEN * self._settings.recall.context_share),
            at=self._clock.now(),
            zone=zone_of(user.time_zone),
        )

    def _fenced(self, lines: Sequence[str], budget: int) -> str:
        """The lines within the budget; a heading with nothing left below it goes too."""
        marker, headings = self._ids.new(), {f"{part.heading}:" for part in self._parts}
        text = fenced(lines, marker=marker, token_budget=budget)
        last = text.count(_NEXT_LINE) - 1
        if last >= 0 and lines[last] in headings:
            return fenced(lines[:last], marker=marker, token_budget=budget)
        return text

    async def _hot(self, asked: _Asked) -> list[_Line]:
        """Pinned and active memories."""
        profile = self._settings.tier_profile(asked.user.tier_profile)
        touched_after, _ = touched_span(Tier.ACTIVE, asked.at, profile=profile)
        most = self._settings.curation.hot_lines - 1  # and the heading
        return await self._memory_lines(
            asked,
            await self._contexts.hot(
                asked.user_id, asked.buckets, touched_after=touched_after, at=asked.at, limit=most
            ),
        )

    async def _facts(self, asked: _Asked) -> list[_Line]:
        """All facts of long horizon, as many as could find a place."""
        most = asked.share_bytes // _LEAST_LINE_BYTES + len(asked.told)
        return await self._memory_lines(
            asked, await self._contexts.facts(asked.user_id, asked.buckets, at=asked.at, limit=most)
        )

    async def _observations(self, asked: _Asked) -> list[_Line]:
        most = self._settings.recall.context_observations
        return await self._memory_lines(
            asked, await self._contexts.observations(asked.user_id, asked.buckets, at=asked.at, limit=most)
        )

    async def _last_episodes(self, asked: _Asked) -> list[_Line]:
        """The last episodes, the oldest of them first; where they are too many for the part, the latest."""
        if asked.buckets is not None and DEFAULT_BUCKET not in asked.buckets:
            return []
        episodes = await self._episodes.recorded(asked.user_id, last=asked.episodes)
        latest = [_Line(f"{_EPISODES}:"), *(_Line(_episode_line(each, asked)) for each in reversed(episodes))]
        return _within(latest, asked, None)[:0:-1]

    async def _how_they_stand(self, asked: _Asked) -> list[_Line]:
        relationship, today = await self._relationship(asked.user_id), asked.at.astimezone(asked.zone).date()
        rules = self._settings.curation.relationship_rules()
        return [_Line(line) for line in relationship_lines(relationship, today=today, rules=rules)]

    async def _known_people(self, asked: _Asked) -> list[_Line]:
        views = await self._people.prompt_list(asked.user_id)
        return [_Line(_person_line(view, asked.zone)) for view in views]

    async def _memory_lines(self, asked: _Asked, ids: Iterable[MemoryId]) -> list[_Line]:
        """What has not been told yet, in order."""
        fresh = [each for each in ids if each not in asked.told]
        found = await self._memories.get(asked.user_id, fresh)
        return [_Line(memory_line(found[each], zone=asked.zone), each) for each in fresh if each in found]


def _within(lines: Iterable[_Line], asked: _Asked, most_bytes: int | None) -> list[_Line]:
    """The first lines, as many as a part may take; the heading always."""
    left = asked.share_bytes if most_bytes is None else min(asked.share_bytes, most_bytes)
    kept: list[_Line] = []
    for line in lines:
        left -= len(f"{_NEXT_LINE}{line.text}".encode())
        if left < 0 and kept:
            break
        kept.append(line)
    return kept


def _episode_line(episode: Episode, asked: _Asked) -> str:
    assert episode.digest is not None
    topics = f" ({', '.join(episode.digest.topics)})" if episode.digest.topics else ""
    return f"{age_words(episode.started_at, asked.at, zone=asked.zone)}: {episode.digest.summary}{topics}"


def _person_line(view: PersonView, zone: tzinfo) -> str:
    person = view.person
    facts = [f"trust {view.label}", f"last seen {date_words(person.last_seen_at, zone=zone)}"]
    facts += [f"knows about {domain}" for domain, _ in view.expertise[:1]]
    return f"{person.name}: {', '.join(facts)}"
