"""How the user and the agent stand (constants.md 2.8, Relationship)."""

from graph_memory.domain.relationship import Relationship
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import EpisodeStore
from graph_memory.services.inspect import Inspect


class LookUpRelationship:
    """Tells what the recorded episodes show together, by days and hours of the user's zone."""

    def __init__(self, *, episodes: EpisodeStore, inspect: Inspect) -> None:
        self._episodes, self._inspect = episodes, inspect

    async def __call__(self, user_id: UserId) -> Relationship:
        """The relationship; before the first episode, one of no sessions."""
        user = await self._inspect.settings(user_id)
        return await self._episodes.relationship(user_id, zone=user.time_zone)
