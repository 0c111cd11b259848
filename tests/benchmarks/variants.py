"""The recall service as it is, and with one part of it switched off at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from graph_memory.bootstrap import Services
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import RecallQuery
from graph_memory.services.recall import Question
from graph_memory.settings import RecallSettings
from graph_memory.stores.recall import Neo4jRecallStore


@dataclass(frozen=True, slots=True)
class Variant:
    """One row of the ablation table: changed settings, or names left in the question."""

    name: str
    settings: RecallSettings
    names_stay_in: bool = False


def variants(settings: RecallSettings) -> list[Variant]:
    """The product, then each switch alone."""
    without = [
        Variant(f"without {channel}", replace(settings, channel_weights=_without(settings.channel_weights, channel)))
        for channel in settings.channel_weights
    ]
    return [
        Variant("all", settings),
        *without,
        Variant("without sequence", replace(settings, sequence_weight=0.0)),
        Variant("without subject", replace(settings, subject_mismatch=1.0)),
        Variant("names not cut", settings, names_stay_in=True),
    ]


class Searcher:
    """Answers questions as one variant does: the product's analysis, and its store with the variant's settings.

    Nothing is used, so memories stay as they are from one variant to the next.
    """

    def __init__(self, services: Services, variant: Variant) -> None:
        self._services, self._variant = services, variant
        self._store = Neo4jRecallStore(services.connection, variant.settings)

    async def ranked(self, user_id: UserId, question: str, *, k: int) -> list[str]:
        """The external ids of the best k memories."""
        found = await self._store.recall(
            user_id, await self._analysed(user_id, question, k), at=self._services.clock.now()
        )
        return [hit.memory.external_id or "" for hit in found.hits]

    async def _analysed(self, user_id: UserId, question: str, k: int) -> RecallQuery:
        query = await self._services.recall.analysed(user_id, Question(query=question, k=k))
        if not self._variant.names_stay_in:
            return query
        [whole] = await self._services.embedder.embed_queries([question])
        return replace(query, vector=whole)


def _without(weights: Mapping[str, float], channel: str) -> dict[str, float]:
    return {name: 0.0 if name == channel else weight for name, weight in weights.items()}
