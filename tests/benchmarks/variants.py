"""The recall service as it is, and with one part of it switched off at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from graph_memory.bootstrap import Services
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Embedder, RecallQuery
from graph_memory.runtime import TimeOrderedIds
from graph_memory.services.name_books import NameBooks
from graph_memory.services.recall import Question, Recall
from graph_memory.services.receipts import KeepReceipts
from graph_memory.settings import RecallSettings
from graph_memory.stores.names import Neo4jNameStore
from graph_memory.stores.recall import Neo4jRecallStore


class NamesStayIn:
    """Makes the vector of the whole question, names of persons included."""

    def __init__(self, recall: Recall, embedder: Embedder) -> None:
        self._recall, self._embedder = recall, embedder

    async def analysed(self, user_id: UserId, question: Question) -> RecallQuery:
        query = await self._recall.analysed(user_id, question)
        [vector] = await self._embedder.embed_queries([question.query])
        return replace(query, vector=vector)


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
    """Answers questions as one variant does, without the receipts that only a caller's answer needs."""

    def __init__(self, services: Services, variant: Variant) -> None:
        recall = recall_with(services, variant.settings)
        self._clock = services.clock
        self._analysis = NamesStayIn(recall, services.embedder) if variant.names_stay_in else recall
        self._store = Neo4jRecallStore(services.connection, variant.settings)

    async def ranked(self, user_id: UserId, question: str, *, k: int) -> list[str]:
        """The external ids of the best k memories."""
        query = await self._analysis.analysed(user_id, Question(query=question, k=k))
        hits = await self._store.recall(user_id, query, at=self._clock.now())
        return [hit.memory.external_id or "" for hit in hits]


def recall_with(services: Services, settings: RecallSettings) -> Recall:
    """The product's recall on the same data with other settings."""
    return Recall(
        store=Neo4jRecallStore(services.connection, settings),
        books=NameBooks(
            Neo4jNameStore(services.connection),
            refresh_seconds=settings.names_refresh_seconds,
            most_users=settings.names_most_users,
        ),
        embedder=services.embedder,
        receipts=KeepReceipts(services.receipts),
        clock=services.clock,
        ids=TimeOrderedIds(),
        settings=settings,
    )


def _without(weights: Mapping[str, float], channel: str) -> dict[str, float]:
    return {name: 0.0 if name == channel else weight for name, weight in weights.items()}
