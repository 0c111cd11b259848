"""Mend insights: what becomes of them when an episode that shows them is deleted (operations.md, erase).

As of other drawn memories: one with no episode left goes, any other is said anew by the rules from the rest. It keeps
its words where the rest has them all.
"""

from datetime import datetime, tzinfo

from graph_memory.domain.change import Action
from graph_memory.domain.insights import what_remains
from graph_memory.domain.vocabulary import NodeId, UserId
from graph_memory.ports import DrawnInsight, Ids, MendedInsight, ReflectionStore
from graph_memory.services.drawn import Wording, reworded
from graph_memory.services.encode import Encode
from graph_memory.settings import Settings


class MendInsights:
    """Says what is left of insights without an episode."""

    def __init__(self, *, reflections: ReflectionStore, encode: Encode, ids: Ids, settings: Settings) -> None:
        self._reflections, self._encode, self._ids, self._settings = reflections, encode, ids, settings

    async def __call__(
        self, user_id: UserId, episode_id: NodeId, *, zone: tzinfo, at: datetime
    ) -> tuple[MendedInsight, ...]:
        """The insights that an episode shows, as they are to be without it. Raises StoreError, InferenceError."""
        drawn = await self._reflections.drawn_from(user_id, episode_id)
        return tuple([await self._mended(each, zone, at) for each in drawn])

    async def _mended(self, drawn: DrawnInsight, zone: tzinfo, at: datetime) -> MendedInsight:
        before = drawn.memory
        lines = [line for _, line in drawn.rest]
        text = what_remains(before.text, lines, recurrences=self._settings.sleep.insight_recurrences)
        if text is None or text == before.text:
            return MendedInsight(drawn=drawn, stays=text is not None)
        [encoded] = await self._encode([text])
        rewritten = reworded(
            before,
            Wording(text=text, vector=encoded.vector, emotion=encoded.emotion, told_by=None),
            [before],
            action=Action.EDIT,
            reason="an episode was deleted",
            zone=zone,
            at=at,
            ids=self._ids,
            settings=self._settings,
        )
        return MendedInsight(drawn=drawn, rewritten=rewritten)
