"""Refine: inside the window after a retrieval a statement's content may be refined by what is said (constants.md 2.3).

A turn that says all that a labile statement says and more, of the same speaker and subjects, gives it its text; the old
one stays as a Version. Once a window. Where the rules see no such turn a model is asked, if there is one; the text that
it gives must have all words of the statement, and none that was not said.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from graph_memory.domain.change import Action
from graph_memory.domain.confidence import ConfidenceRules, Evidence
from graph_memory.domain.curation import CurationRules, Update, judge
from graph_memory.domain.memory import Memory
from graph_memory.domain.model_verdicts import followed_refinement
from graph_memory.domain.vocabulary import Kind
from graph_memory.errors import ConflictError, GraphMemoryError
from graph_memory.ports import Clock, EnrichmentQueue, LanguageModel, MemoryStore, PendingMemory, Refinable
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
        model: LanguageModel | None = None,
        model_seconds: float = 5.0,
    ) -> None:
        """`model` is asked where rules find nothing, and waited for `model_seconds` at most."""
        self._model, self._model_seconds = model, model_seconds
        self._queue, self._memories, self._revise = queue, memories, revise
        self._rules, self._beliefs, self._clock, self._settings = rules, beliefs, clock, settings

    async def __call__(self, turns: Sequence[PendingMemory]) -> int:
        """How many statements these turns refined. Raises StoreError; one that cannot be refined is left as it is."""
        now = self._clock.now()
        refined = 0
        ids = [each.id for each in turns]
        for pair in await self._queue.refinable(ids, least_cosine=self._settings.refine_cosine, at=now):
            try:
                refined += await self._refine(pair, now)
            except GraphMemoryError as error:
                _log.warning("memory %s stays as it is: %s", pair.labile_id, error)
        return refined

    async def _refine(self, pair: Refinable, now: datetime) -> bool:
        found = await self._memories.get(pair.user_id, [pair.turn_id, pair.labile_id])
        turn, labile = found.get(pair.turn_id), found.get(pair.labile_id)
        if turn is None or labile is None or not self._is_open(labile, now):
            return False
        text = await self._refined_text(turn, labile, pair.cosine)
        if text is None:
            return False

        def refine(standing: Memory) -> Memory:
            if not self._is_open(standing, now):
                raise ConflictError("its window has closed, or it was refined in it")
            confidence = self._beliefs.moved(standing.confidence, Evidence.ENRICH)
            return replace(standing, text=text, confidence=confidence, refined_at=now)

        await self._revise.rewritten(
            pair.user_id, labile, refine, action=Action.REFINE, reason=f"said in {turn.id}", at=now
        )
        return True

    async def _refined_text(self, turn: Memory, labile: Memory, cosine: float) -> str | None:
        """The text that a turn gives a labile statement, by rules or by a model that the words bear out."""
        said, known = replace(statement_of(turn), kind=Kind.SEMANTIC), statement_of(labile)
        if judge(said, known, cosine, self._rules).update is Update.ENRICHING:
            return turn.text
        if self._model is None:
            return None
        try:
            async with asyncio.timeout(self._model_seconds):
                proposal = (await self._model.refine(turn.user_id, labile.text, turn.text)).value
        except TimeoutError:
            return None
        return followed_refinement(said, known, proposal, self._rules)

    def _is_open(self, labile: Memory, now: datetime) -> bool:
        if labile.labile_until is None or labile.labile_until <= now or not labile.is_current(now):
            return False
        since = labile.labile_since or now
        return labile.refined_at is None or labile.refined_at < since
