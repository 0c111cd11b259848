"""RecallStore on Neo4j: one statement, one round trip."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.intent import WALKED, gains
from graph_memory.domain.link import FAMILY, LinkType, link_id
from graph_memory.domain.vocabulary import Channel, Intent, Kind, Lane, MemoryId, NodeId, UserId
from graph_memory.ports import Found, Hit, PathStep, RecallQuery, ScorePart
from graph_memory.settings import Settings
from graph_memory.stores.connection import Connection, Row
from graph_memory.stores.full_text import lucene_query
from graph_memory.stores.rows import memory_from, values
from graph_memory.stores.vectors import sent

_EARLIEST = datetime(1, 1, 1, tzinfo=FAR_FUTURE.tzinfo)
_LAST_TEXT = "\U0010ffff"  # sorts after every bucket
_GENERAL = "general"
_LEARNED = "learned"
_ALL = 1_000_000


class Neo4jRecallStore:
    """Searches memories in Neo4j."""

    def __init__(self, connection: Connection, settings: Settings) -> None:
        self._connection, self._settings = connection, settings
        self._rules = _rules(settings)
        self._gains = {intent: _gains(settings, intent) for intent in Intent}

    async def recall(self, user_id: UserId, query: RecallQuery, *, at: datetime) -> Found:
        params = self.params(user_id, query, at=at)
        found = await self._connection.run("recall/recall", **params)
        rows, losers = (named_hits(found[0]), found[0]["losers"]) if found else ([], [])
        hits = [(row["overlay"], self._hit(row, params["gains"], params["floor_gains"])) for row in rows]
        shown = {hit.memory.id for _, hit in hits}
        return Found(
            hits=tuple(hit for overlay, hit in hits if not overlay),
            overlay=tuple(hit for overlay, hit in hits if overlay),
            losers=tuple(MemoryId(loser) for loser in losers if loser not in shown),
            traversed=tuple(
                dict.fromkeys(
                    link_id(LinkType(step["type"]), NodeId(step["source"]), NodeId(step["target"]))
                    for row in rows
                    for step in row["path"]
                    if {step["source"], step["target"]} <= shown
                )
            ),
        )

    async def sample(
        self, user_id: UserId, query: RecallQuery, *, touched_until: datetime, seed: int, at: datetime
    ) -> Found:
        rows = await self._connection.run(
            "recall/sample_memories",
            user_id=user_id,
            touched_until=touched_until,
            filters=_unindexed_filters(query),
            within=_within(query, at),
            buckets=values(query.buckets),
            seed=seed,
            k=query.k,
        )
        return Found(
            tuple(
                Hit(memory=memory_from(row["memory"]), score=0.0, match=0.0, cosine=None, ranks={}, parts=())
                for row in rows
            )
        )

    def params(self, user_id: UserId, query: RecallQuery, *, at: datetime) -> dict[str, Any]:
        """The parameters of the recall statement."""
        recall, learned = self._settings.recall, self._settings.recall.ranking == _LEARNED
        look_ups, filters = self.look_up_params(user_id, query, at=at), _unindexed_filters(query)
        most = max(scope["k"] for scope in look_ups["scopes"])
        return {
            **self._rules,
            **self._gains[query.intent],
            **look_ups,
            "depth": recall.filtered_pool if filters else max(recall.depth, 2 * query.k),
            "context_depth": recall.filtered_pool if filters else max(recall.context_depth, 2 * query.k),
            "filtered": filters is not None,
            "filters": filters or {},  # a map in any case: the server plans anew for null
            "candidates": max(recall.candidates, recall.candidates_for_each * most) if learned else _ALL,
            "subject_keys": list(query.subject_keys),
            "entity_keys": list(query.entity_keys),
            "asks_when": float(query.asks_when),
            "asks_name": float(query.asks_name),
            "days": [{"from": begin, "until": end} for begin, end in query.days],
        }

    def look_up_params(self, user_id: UserId, query: RecallQuery, *, at: datetime) -> dict[str, Any]:
        """The parameters of its look-ups alone."""
        recall, filtered = self._settings.recall, _unindexed_filters(query) is not None
        narrowed, checked = _is_narrowed(query), filtered or _asks_what_full_text_does_not_know(query)
        scopes = [self._scope(user_id, query, query.buckets, k=query.k, overlay=False)]
        if query.overlay_k and query.buckets != (_GENERAL,):
            # The answer may hold some of the overlay's memories; they are left out of it.
            most = query.overlay_k + (query.k if query.buckets is None or _GENERAL in query.buckets else 0)
            overlay = self._scope(user_id, query, (_GENERAL,), k=most, overlay=True)
            scopes.append({**overlay, "most": query.overlay_k})
        return {
            "user_id": user_id,
            "vector": sent(query.vector),
            "scopes": scopes,
            "at": at,
            "channel_weights": dict(recall.channel_weights),
            "narrowed": narrowed,
            "within": _within(query, at) if narrowed else {},  # a map in any case, as above
            "pool": recall.filtered_pool if filtered else max(recall.pool, 2 * query.k),
            "text_pool": recall.filtered_pool if checked else max(recall.text_pool, 2 * query.k),
            "context_text_pool": recall.filtered_pool if checked else max(recall.context_text_pool, 2 * query.k),
        }

    def _scope(
        self, user_id: UserId, query: RecallQuery, buckets: Sequence[str] | None, *, k: int, overlay: bool
    ) -> dict[str, Any]:
        recall, learned = self._settings.recall, self._settings.recall.ranking == _LEARNED
        fields = {"text": ("search_text", "script_terms"), "context": ("context_text", "context_script_terms")}
        queries = {
            f"{name}_query": lucene_query(
                user_id,
                field=field,
                terms_field=terms_field,
                words=query.words,
                index_terms=query.index_terms,
                buckets=buckets,
            )
            for name, (field, terms_field) in fields.items()
        }
        return {
            "overlay": overlay,
            "bucket_from": min(buckets) if buckets else "",
            "bucket_until": max(buckets) if buckets else _LAST_TEXT,
            **queries,
            "k": k,
            "most": k,
            "channel": _ALL if learned else max(recall.channel_min, 2 * k),
        }

    def _hit(self, row: Row, gains: Mapping[str, float], floor_gains: Mapping[str, float]) -> Hit:
        found = {Channel(name): rank for name, rank in row["ranks"].items() if name in _CHANNELS and rank}
        return Hit(
            memory=memory_from(row["memory"]),
            score=row["score"],
            match=max(0.0, row["cosine"] or 0.0),
            cosine=row["cosine"],
            ranks=found,
            parts=self._parts(row, found),
            path=tuple(
                PathStep(
                    node_id=NodeId(step["node_id"]),
                    hop=hop,
                    link_type=LinkType(step["type"]),
                    weight=step["weight"],
                    gain=(floor_gains if step["by_floor"] else gains)[step["type"]],
                    activation=step["activation"],
                    reason=step["reason"],
                )
                for hop, step in enumerate(row["path"], start=1)
            ),
        )

    def _parts(self, row: Row, found: Mapping[Channel, int]) -> tuple[ScorePart, ...]:
        return self._learned_parts(row) if self._settings.recall.ranking == _LEARNED else self._rrf_parts(row, found)

    def _learned_parts(self, row: Row) -> tuple[ScorePart, ...]:
        """Features times weights. What only links brought begins with the score of the last that was found without."""
        weights = self._settings.recall.feature_weights
        linked = row["ranks"]["linked"]
        graph = ScorePart("graph", linked / weights["graph"] if linked else 0.0, weights["graph"])
        if row["features"] is None:
            return ScorePart("last", row["score"] - graph.contribution, 1.0), graph
        parts = [ScorePart(name, value, weights[name]) for name, value in row["features"].items() if value]
        parts.append(ScorePart("sources", row["ranks"]["lift"], 1.0))  # what a distilled statement has of its best one
        return tuple(part for part in (*parts, graph) if part.contribution)

    def _rrf_parts(self, row: Row, found: Mapping[Channel, int]) -> tuple[ScorePart, ...]:
        """Ranks, then what the factors gave or took."""
        recall, ranks = self._settings.recall, row["ranks"]
        parts = [
            ScorePart(str(channel), 1.0 / (recall.rrf_k + rank), recall.channel_weights[channel])
            for channel, rank in found.items()
        ]
        if row["sequence"]:
            parts.append(ScorePart("sequence", row["sequence"], 1.0))
        if ranks["subject"] != 1.0:
            parts.append(ScorePart("subject", ranks["fused"], ranks["subject"] - 1.0))
        rest = row["score"] - sum(part.contribution for part in parts)
        if abs(rest) > _NEGLIGIBLE:
            parts.append(ScorePart("factors", rest, 1.0))
        return tuple(parts)


def named_hits(answer: Row) -> list[Row]:
    """The hits of the recall statement's row, with the names that it says once for all of them."""
    columns = answer["columns"]
    return [
        {
            **hit,
            **{
                part: dict(zip(names, hit[part], strict=True))
                for part, names in columns.items()
                if hit[part] is not None
            },
        }
        for hit in answer["hits"]
    ]


def _rules(settings: Settings) -> dict[str, Any]:
    """The parameters of the recall statement that no question changes."""
    recall, links, decay = settings.recall, settings.links, settings.decay
    signal, learned = recall.signal_rules(decay), recall.ranking == _LEARNED
    signal_counts = recall.feature_weights["signal"] if learned else recall.channel_weights["signal"]
    graph_counts = recall.feature_weights["graph"] if learned else recall.channel_weights["graph"]
    return {
        "signal_pool": recall.signal_pool if signal_counts else 0,
        "semantic_floor": recall.semantic_floor,
        "last_resort_cosine": recall.last_resort_cosine,
        "rrf_k": recall.rrf_k,
        "subject_mismatch": recall.subject_mismatch,
        "signal_rules": {
            "activation": signal.activation_weight,
            "confidence": signal.confidence_weight,
            "slope": signal.slope,
            "min_confidence": signal.min_confidence,
            "theta": signal.theta_dream,
            "min_age_hours": decay.min_age_hours,
            "time_scale": decay.time_scale,
        },
        "learned": learned,
        "weights": dict(recall.feature_weights),
        "most_words": recall.most_words,
        "date_factor": recall.date_factor,
        "arousal_gain": settings.salience.arousal_recall_gain,
        "sequence_seeds": recall.sequence_seeds,
        "sequence_weight": 0.0 if learned else recall.sequence_weight,
        "lift_drawn": recall.lift_drawn,
        "seeds": recall.seeds if graph_counts else 0,
        "hops": recall.hops,
        "hop_factor": recall.hop_factor,
        "fan_power": recall.fan_power,
        "spread_fan": recall.spread_fan,
        "spread_floor": recall.spread_floor,
        "min_weight": links.min_weight,
        "hub_degree": links.hub_degree,
        "rif_cosine": recall.rif_cosine,
        "rif_scan": recall.rif_scan,
    }


def _gains(settings: Settings, intent: Intent) -> dict[str, dict[str, float]]:
    """What each type of link passes on under a question's intent: of all links, and of those that rules found."""
    recall = settings.recall
    gain, next_factor = gains(intent, recall.intent_rules()), recall.next_factor if recall.ranking == _LEARNED else 1.0
    repeats = {LinkType.SIMILAR_TO: recall.similar_factor, LinkType.NEXT: next_factor}
    by_type = {
        link_type: gain[family] * recall.family_weights[family] * repeats.get(link_type, 1.0)
        for link_type, family in FAMILY.items()
        if family in WALKED
    }
    return {
        "gains": {str(link_type): value for link_type, value in by_type.items()},
        "floor_gains": {
            str(link_type): value * recall.floor_weights[FAMILY[link_type]] for link_type, value in by_type.items()
        },
    }


_CHANNELS = frozenset(Channel)
_NEGLIGIBLE = 1e-12


def _within(query: RecallQuery, at: datetime) -> dict[str, Any]:
    """What the indexes filter by: what is current and visible; for another instant only what was known by then.

    What a memory's dates were then is checked on the candidates, for a restore may have changed them since.
    """
    then = query.known_at is not None
    ended = _EARLIEST if then or query.include_superseded else at
    return {
        "visible_after": _EARLIEST if then or query.include_hidden else at,
        "expired_after": _EARLIEST if then else at,
        "invalid_after": ended,
        "superseded_after": ended,
        "touched_after": _EARLIEST if then else query.touched_after or _EARLIEST,
        "archived_after": _EARLIEST if then or query.include_archived else at,
        "created_until": query.known_at or FAR_FUTURE,
        "lanes": values(query.lanes) or [lane.value for lane in Lane],
        "kinds": values(query.kinds) or [kind.value for kind in Kind],
        "occurred_from": query.occurred_from or _EARLIEST,
        "occurred_until": query.occurred_until or FAR_FUTURE,
    }


def _is_narrowed(query: RecallQuery) -> bool:
    """Whether the question asks for another choice than all that is current and visible now."""
    return (
        query.known_at is not None
        or query.include_superseded
        or query.include_hidden
        or query.include_archived
        or _asks_what_full_text_does_not_know(query)
    )


def _asks_what_full_text_does_not_know(query: RecallQuery) -> bool:
    """Whether much of what full text gives will go."""
    asked = (query.lanes, query.kinds, query.occurred_from, query.occurred_until, query.touched_after)
    return any(value is not None for value in asked)


def _unindexed_filters(query: RecallQuery) -> dict[str, Any] | None:
    """What no index filters by, checked on the candidates; None when nothing is asked."""
    filters = {
        "buckets": values(query.buckets) if query.buckets and len(query.buckets) > 1 else None,
        "categories": values(query.categories),
        "tags": values(query.tags),
        "session_id": query.session_id,
        "agent_id": query.agent_id,
        "schema_id": query.schema_id,
        "name_keys": values(query.name_keys),
        "known_at": query.known_at,
        "as_of": query.as_of,
    }
    return filters if any(value is not None for value in filters.values()) else None
