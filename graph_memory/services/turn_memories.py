"""Each thing that the user says in an episode is remembered, too: as an episodic memory in the episode's session.

A turn is stored first, marked as due; then its memory, under a key made of the turn; then the two are linked and the
mark goes. Whatever breaks off in between is taken up again, and nothing comes twice.

Source: constants.md 2.8 (Short-term: "each exchange also writes an Episodic memory", its text is the user's turn).
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.episode import Role, Turn
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.errors import GraphMemoryError
from graph_memory.ports import Clock, EpisodeStore
from graph_memory.services.remember import Remember

_log = logging.getLogger(__name__)


class TurnMemories:
    """Remembers what users say."""

    def __init__(self, *, episodes: EpisodeStore, remember: Remember, clock: Clock) -> None:
        self._episodes, self._remember, self._clock = episodes, remember, clock
        self._follow: Callable[[], None] | None = None

    def followed_by(self, follow: Callable[[], None]) -> None:
        """What is to be told that turns were remembered."""
        self._follow = follow

    async def __call__(self, user_id: UserId, turns: Sequence[Turn]) -> int:
        """Remembers the user's turns among these; how many were. What fails is taken up by `catch_up`."""
        said = [turn for turn in turns if turn.role is Role.USER]
        if not said:
            return 0
        try:
            written = await self._remember.many(user_id, [_draft(turn) for turn in said])
        except GraphMemoryError as error:
            _log.warning("%d turns are remembered later: %s", len(said), error)
            return 0
        for row in written.failed:
            _log.warning("a turn is remembered later: %s", "; ".join(map(str, row.problems)))
        made: list[tuple[NodeId, MemoryId | None]] = [
            (said[each.index].id, each.memory.id if each.memory else None) for each in written.results
        ]
        if made:
            await self._episodes.remembered(user_id, made, at=self._clock.now())
            if self._follow:
                self._follow()
        return len(made)

    async def catch_up(self, user_id: UserId, *, until: datetime, limit: int) -> int:
        """Remembers turns of a user that were left out up to an instant; how many."""
        return await self(user_id, await self._episodes.unremembered(user_id, until=until, limit=limit))


def _draft(turn: Turn) -> MemoryDraft:
    return MemoryDraft(
        text=turn.text,
        speaker=turn.speaker,
        session_id=turn.episode_id,
        occurred_at=turn.occurred_at,
        idempotency_key=f"turn:{turn.id}",
    )
