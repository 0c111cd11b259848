"""The recall service as it is, and with one part of it switched off at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_memory.bootstrap import Services
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Channel, Intent, UserId
from graph_memory.ports import RecallQuery
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.stores.recall import Neo4jRecallStore


@dataclass(frozen=True, slots=True)
class Variant:
    """One row of the ablation table: changed settings, or names left in the question."""

    name: str
    settings: Settings
    names_stay_in: bool = False
    intent: Intent | None = None  # None: read from the question


SWITCHES = ("features", "channels", "families", "others")


def variants(settings: Settings, switches: Sequence[str] = SWITCHES) -> list[Variant]:
    """The product, then each switch of these groups alone."""
    recall = settings.recall
    on = [name for name, weight in recall.feature_weights.items() if weight]
    without = [Variant(f"without {name}", without_feature(settings, name)) for name in on]
    channels = [
        _with(settings, f"without channel {name}", channel_weights=_without(recall.channel_weights, name))
        for name, weight in recall.channel_weights.items()
        if weight and name != Channel.GRAPH
    ]
    families = [
        Variant(f"without {family} links", without_family(settings, family))
        for family, weight in recall.family_weights.items()
        if weight
    ]
    found = [
        _with(settings, f"without {family} links by rules", floor_weights=_without(recall.floor_weights, family))
        for family, weight in recall.floor_weights.items()
        if weight and recall.family_weights[family]
    ]
    others = [
        _with(settings, "one hop", hops=1),
        _with(settings, "ranks fused (rrf)", ranking="rrf"),
        Variant("names not cut", settings, names_stay_in=True),
    ]
    groups = {"features": without, "channels": channels, "families": [*families, *found], "others": others}
    return [Variant("all", settings), *(variant for switch in switches for variant in groups[switch])]


def without_family(settings: Settings, family: str) -> Settings:
    """The settings with one family of links closed to activation."""
    return _changed(settings, family_weights=_without(settings.recall.family_weights, family))


def without_feature(settings: Settings, feature: str) -> Settings:
    """The settings with one feature of the learned sum left out."""
    return _changed(settings, feature_weights=_without(settings.recall.feature_weights, feature))


def with_features(settings: Settings, weights: Mapping[str, float]) -> Settings:
    """The settings with other weights of some features of the learned sum."""
    return _changed(settings, feature_weights={**settings.recall.feature_weights, **weights})


def _with(settings: Settings, name: str, **changed: Any) -> Variant:
    return Variant(name, _changed(settings, **changed))


def _changed(settings: Settings, **changed: Any) -> Settings:
    return replace(settings, recall=replace(settings.recall, **changed))


class Searcher:
    """Answers questions as one variant does: the product's analysis, and its store with the variant's settings.

    Nothing is used, so memories stay as they are from one variant to the next.
    """

    def __init__(self, services: Services, variant: Variant) -> None:
        self._services, self._variant = services, variant
        self._store = Neo4jRecallStore(services.connection, variant.settings)

    async def ranked(self, user_id: UserId, question: str, *, k: int) -> list[str]:
        """The external ids of the best k memories."""
        return [memory.external_id or "" for memory in await self.found(user_id, question, k=k)]

    async def found(self, user_id: UserId, question: str, *, k: int) -> list[Memory]:
        """The best k memories."""
        found = await self._store.recall(
            user_id, await self._analysed(user_id, question, k), at=self._services.clock.now()
        )
        return [hit.memory for hit in found.hits]

    async def _analysed(self, user_id: UserId, question: str, k: int) -> RecallQuery:
        asked = Question(query=question, k=k, general=False, intent=self._variant.intent)
        query = await self._services.recall.analysed(user_id, asked)
        if not self._variant.names_stay_in:
            return query
        [whole] = await self._services.embedder.embed_queries([question])
        return replace(query, vector=whole)


def _without(weights: Mapping[str, float], channel: str) -> dict[str, float]:
    return {name: 0.0 if name == channel else weight for name, weight in weights.items()}
