"""Refine: inside the window after a retrieval a statement's content may be refined by what is said (constants.md 2.3).

A turn that says all that a labile statement says and more, of the same speaker and subjects, gives it its text; the old
one stays as a Version. Once a window, and by the rules of curation alone: a model's verdict is asked for where there is
one, and never enough by itself.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from graph_memory.domain.change import Action
from graph_memory.domain.confidence import ConfidenceRules, Evidence
from graph_memory.domain.curation import CurationRules, Update, judge
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Kind, MemoryId
from graph_memory.errors import ConflictError, GraphMemoryError
from graph_memory.ports import Clock, EnrichmentQueue, MemoryStore, Refinable
from graph_memory.services.curate import statement_of
from graph_memory.services.revise import Revise
from graph_memory.settings import CurationSettings

_log = logging.getLogger(__name__)


class Refine:
    """Refines labile statements by new turns."""

    def __init__(
        self,
        *,
        queue: EnrichmentQueue,
        memories: MemoryStore,
        revise: Revise,
        rules: CurationRules,
        beliefs: ConfidenceRules,
        clock: Clock,
        settings: CurationSettings,
    ) -> None:
        self._queue, self._memories, self._revise = queue, memories, revise
        self._rules, self._beliefs, self._clock, self._settings = rules, beliefs, clock, settings

    async def __call__(self, turns: Sequence[MemoryId]) -> int:
        """How many statements these turns refined. Raises StoreError; one that cannot be refined is left as it is."""
        now = self._clock.now()
        refined = 0
        for pair in await self._queue.refinable(turns, least_cosine=self._settings.refine_cosine, at=now):
            try:
                refined += await self._refine(pair, now)
            except GraphMemoryError as error:
                _log.warning("memory %s stays as it is: %s", pair.labile_id, error)
        return refined

    async def _refine(self, pair: Refinable, now: datetime) -> bool:
        found = await self._memories.get(pair.user_id, [pair.turn_id, pair.labile_id])
        turn, labile = found.get(pair.turn_id), found.get(pair.labile_id)
        if turn is None or labile is None or not self._is_richer(turn, labile, pair.cosine, now):
            return False

        def refine(standing: Memory) -> Memory:
            if not self._is_open(standing, now):
                raise ConflictError("its window has closed, or it was refined in it")
            confidence = self._beliefs.moved(standing.confidence, Evidence.ENRICH)
            return replace(standing, text=turn.text, confidence=confidence, refined_at=now)

        await self._revise.rewritten(
            pair.user_id, labile, refine, action=Action.REFINE, reason=f"said in {turn.id}", at=now
        )
        return True

    def _is_richer(self, turn: Memory, labile: Memory, cosine: float, now: datetime) -> bool:
        said = replace(statement_of(turn), kind=Kind.SEMANTIC)
        return judge(said, statement_of(labile), cosine, self._rules).update is Update.ENRICHING

    def _is_open(self, labile: Memory, now: datetime) -> bool:
        if labile.labile_until is None or labile.labile_until <= now or not labile.is_current(now):
            return False
        since = labile.labile_since or now
        return labile.refined_at is None or labile.refined_at < since
