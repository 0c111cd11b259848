"""Finding episodes: by id, the latest, by a search with weighted fields; their turns; the short-term buffer."""

from collections.abc import Sequence

from graph_memory.domain.episode import Episode, Turn
from graph_memory.domain.episode_search import EpisodeSearchRules, FoundEpisode, looked_up, ranked
from graph_memory.domain.index_terms import index_query_terms
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import NodeId, UserId
from graph_memory.errors import InvalidValueError, NotFoundError
from graph_memory.ports import Clock, EpisodeStore, Position, Row
from graph_memory.services.paging import Page, Paging
from graph_memory.settings import Settings


class FindEpisodes:
    """Looks episodes up. Nothing here counts as a use."""

    def __init__(self, *, episodes: EpisodeStore, rules: EpisodeSearchRules, clock: Clock, settings: Settings) -> None:
        self._episodes, self._rules, self._clock, self._settings = episodes, rules, clock, settings

    async def episode(self, user_id: UserId, episode_id: str) -> Episode:
        """One episode. Raises NotFoundError."""
        named = askable_episode(episode_id)
        found = (await self._episodes.get(user_id, [named])).get(named)
        if found is None:
            raise NotFoundError("episode", episode_id)
        return found

    async def listed(self, user_id: UserId, *, first: int | None, after: str | None) -> Page[Episode]:
        """One page of the latest episodes, open ones too, the latest first; older ones are found by searching."""
        most = self._settings.curation.episodes_listed
        return await Paging(user_id, "episodes", self._settings.pages).forward_page(
            first,
            after,
            lambda start, limit: self._episodes.listed(user_id, after=start, limit=limit, most=most),
        )

    async def search(self, user_id: UserId, query: str, *, first: int | None, after: str | None) -> Page[FoundEpisode]:
        """One page of the episodes that a search finds, best first. Raises InvalidValueError."""
        most = self._settings.recall.max_query_characters
        if problems := text_problems("search", query, most_characters=most):
            raise InvalidValueError("episodes", problems)
        curation, now = self._settings.curation, self._clock.now()

        async def read(start: Position | None, limit: int) -> list[Row[FoundEpisode]]:
            candidates = await self._episodes.found(
                user_id,
                looked_up(query, self._rules.wording),
                index_query_terms(query, most_guessed=self._settings.recall.guessed_stems),
                most=curation.episodes_found,
                most_turns=curation.episode_turns_found,
            )
            found = ranked(candidates, query, at=now, rules=self._rules)
            return [Row(each, Position(each.score, each.episode.id)) for each in _behind(found, start)[:limit]]

        return await Paging(user_id, f"episodes {query}", self._settings.pages).forward_page(first, after, read)

    async def recorded(self, user_id: UserId, *, last: int) -> list[Episode]:
        """The last episodes that were summed up, the oldest of them first."""
        if last == 0:
            return []
        rows = await self._episodes.listed(user_id, after=None, limit=last, most=last, recorded=True)
        return [row.value for row in reversed(rows)]

    async def turns(self, user_id: UserId, episode_id: NodeId, *, first: int | None, after: str | None) -> Page[Turn]:
        """One page of the turns of an episode, in their order."""
        return await Paging(user_id, f"turns {episode_id}", self._settings.pages).forward_page(
            first,
            after,
            lambda start, limit: self._episodes.turns(user_id, episode_id, after=start, limit=limit),
        )

    async def recent_turns(self, user_id: UserId) -> list[Turn]:
        """The short-term buffer: the last turns of the user, the oldest of them first."""
        return await self._episodes.recent_turns(user_id, limit=self._settings.curation.short_term_turns)


def askable_episode(episode_id: str) -> NodeId:
    """The id as the store takes it. Raises NotFoundError for one that it could not even be asked for."""
    if text_problems("id", episode_id, most_characters=1_000):
        raise NotFoundError("episode", episode_id)
    return NodeId(episode_id)


def _behind(found: Sequence[FoundEpisode], start: Position | None) -> Sequence[FoundEpisode]:
    """What comes behind a place; where its episode is gone meanwhile, what scores less than it did."""
    if start is None:
        return found
    place = next((place for place, each in enumerate(found) if each.episode.id == start.id), None)
    if place is not None:
        return found[place + 1 :]
    return [each for each in found if each.score < start.key]
