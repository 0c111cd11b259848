"""Contradict, live: pass A, for a decision or preference that was just drawn from a turn (constants.md 2.6).

It is compared with what stands near it, by the rules and by a model where there is one. What a model has judged is
kept, so that the audit need not ask again; what it could not be asked waits for the audit.
"""

from dataclasses import dataclass

from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import ConflictError
from graph_memory.ports import Clock, ComparisonStore, MemoryStore, Pair, Purpose
from graph_memory.services.contradictions import COMPARED_HORIZONS, Contradictions, NearPair, Opinion
from graph_memory.services.unite import judgement
from graph_memory.settings import CurationSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradicted:
    """What came of comparing a new memory with what stands near it."""

    found: int = 0
    notes: tuple[str, ...] = ()


class ContradictLive:
    """Settles what a new memory contradicts."""

    def __init__(
        self,
        *,
        comparisons: ComparisonStore,
        memories: MemoryStore,
        contradictions: Contradictions,
        clock: Clock,
        settings: CurationSettings,
    ) -> None:
        self._comparisons, self._memories, self._contradictions = comparisons, memories, contradictions
        self._clock, self._settings = clock, settings

    async def __call__(self, user_id: UserId, memory: Memory) -> Contradicted:
        """Compares a memory with what stands near it and was not judged beside it yet. Raises StoreError."""
        pairs = await self._pairs(user_id, memory)
        by_rules = self._contradictions.by_rules(pairs)
        found = {finding.pair.key for finding in by_rules}
        opinion = await self._contradictions.by_model(user_id, [pair for pair in pairs if pair.key not in found])
        notes = list(opinion.notes)
        settled = 0
        for finding in (*by_rules, *opinion.findings):
            try:
                await self._contradictions.settle(user_id, finding, during="extraction", at=self._clock.now())
            except ConflictError as error:  # one of them has moved on meanwhile
                notes.append(str(error))
                continue
            settled += 1
            notes += finding.notes
        await self._note_compatible(user_id, pairs, opinion)
        return Contradicted(found=settled, notes=tuple(notes))

    async def _pairs(self, user_id: UserId, memory: Memory) -> list[NearPair]:
        """The memory beside the nearest ones that stand, as far as they were not judged."""
        near = await self._comparisons.near(
            user_id,
            [memory.id],
            kinds=(memory.kind,),
            horizons=COMPARED_HORIZONS,
            least_cosine=self._settings.live_cosine,
            at=self._clock.now(),
        )
        near = near[: self._settings.live_candidates]
        if not near:
            return []
        found = await self._memories.get(user_id, [memory.id, *(each.near_id for each in near)])
        return (await self._contradictions.fresh(user_id, near, found)).get(memory.id, [])

    async def _note_compatible(self, user_id: UserId, pairs: list[NearPair], opinion: Opinion) -> None:
        """Keeps what a model found to hold together."""
        excluded: set[Pair] = {finding.pair.key for finding in opinion.findings}
        kept = [
            judgement(user_id, Purpose.AUDIT, pair.newer, pair.older, verdict="compatible", by=opinion.by)
            for pair in pairs
            if pair.key in opinion.asked - excluded
        ]
        await self._comparisons.note(user_id, Purpose.AUDIT, judgements=kept, compared={}, at=self._clock.now())
