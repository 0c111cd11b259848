"""RecallStore on Neo4j: one statement, one round trip."""

from datetime import datetime
from typing import Any

from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.vocabulary import Kind, Lane, MemoryId, UserId
from graph_memory.ports import Found, Hit, RecallQuery
from graph_memory.settings import RecallSettings
from graph_memory.stores.connection import Connection
from graph_memory.stores.full_text import lucene_query
from graph_memory.stores.rows import memory_from, values

_EARLIEST = datetime(1, 1, 1, tzinfo=FAR_FUTURE.tzinfo)
_LAST_TEXT = "\U0010ffff"  # sorts after every bucket


class Neo4jRecallStore:
    """Searches memories in Neo4j."""

    def __init__(self, connection: Connection, settings: RecallSettings) -> None:
        self._connection, self._settings = connection, settings

    async def recall(self, user_id: UserId, query: RecallQuery, *, at: datetime) -> Found:
        rows = await self._connection.run("recall/recall", **self.params(user_id, query, at=at))
        hits = [
            Hit(
                memory=memory_from(row["memory"]),
                score=row["score"],
                cosine=row["cosine"],
                semantic_rank=row["semantic_rank"],
                context_vector_rank=row["context_vector_rank"],
                lexical_rank=row["lexical_rank"],
                context_rank=row["context_rank"],
                fused=row["fused"],
                subject=row["subject"],
                sequence=row["sequence"],
            )
            for row in rows
        ]
        return Found(tuple(hits), tuple(MemoryId(loser) for loser in rows[0]["losers"]) if rows else ())

    def params(self, user_id: UserId, query: RecallQuery, *, at: datetime) -> dict[str, Any]:
        """The parameters of the recall statement."""
        weights, settings = self._settings.channel_weights, self._settings
        return {
            **self.look_up_params(user_id, query, at=at),
            "channel": max(settings.channel_min, 2 * query.k),
            "semantic_floor": settings.semantic_floor,
            "rrf_k": settings.rrf_k,
            "semantic_weight": weights["semantic"],
            "context_vector_weight": weights["context_vector"],
            "lexical_weight": weights["lexical"],
            "context_weight": weights["context"],
            "subject_keys": list(query.subject_keys),
            "subject_mismatch": settings.subject_mismatch,
            "seeds": settings.sequence_seeds,
            "sequence_weight": settings.sequence_weight,
            "rif_cosine": settings.rif_cosine,
            "rif_scan": settings.rif_scan,
            "filters": _unindexed_filters(query),
            "k": query.k,
        }

    def look_up_params(self, user_id: UserId, query: RecallQuery, *, at: datetime) -> dict[str, Any]:
        """The parameters of its look-ups alone."""
        settings, buckets = self._settings, query.buckets
        words, terms = query.words, query.script_terms
        return {
            "user_id": user_id,
            "vector": query.vector.tolist(),
            "text_query": lucene_query(
                user_id,
                field="search_text",
                script_field="script_terms",
                words=words,
                script_terms=terms,
                buckets=buckets,
            ),
            "context_query": lucene_query(
                user_id,
                field="context_text",
                script_field="context_script_terms",
                words=words,
                script_terms=terms,
                buckets=buckets,
            ),
            **_date_bounds(query, at),
            "pool": settings.filtered_pool if _unindexed_filters(query) else settings.pool,
            "bucket_from": min(buckets) if buckets else "",
            "bucket_until": max(buckets) if buckets else _LAST_TEXT,
            "lanes": values(query.lanes) or [lane.value for lane in Lane],
            "kinds": values(query.kinds) or [kind.value for kind in Kind],
            "occurred_from": query.occurred_from or _EARLIEST,
            "occurred_until": query.occurred_until or FAR_FUTURE,
        }


def _date_bounds(query: RecallQuery, at: datetime) -> dict[str, datetime]:
    """What the indexes filter by: what is current and visible; for another instant only what was known by then.

    What a memory's dates were then is checked on the candidates, for a restore may have changed them since.
    """
    if query.known_at is not None:
        return {
            "visible_after": _EARLIEST,
            "expired_after": _EARLIEST,
            "invalid_after": _EARLIEST,
            "superseded_after": _EARLIEST,
            "created_until": query.known_at,
        }
    ended = _EARLIEST if query.include_superseded else at
    return {
        "visible_after": _EARLIEST if query.include_hidden else at,
        "expired_after": at,
        "invalid_after": ended,
        "superseded_after": ended,
        "created_until": FAR_FUTURE,
    }


def _unindexed_filters(query: RecallQuery) -> dict[str, Any] | None:
    """What no index filters by, checked on the candidates; None when nothing is asked."""
    filters = {
        "buckets": values(query.buckets) if query.buckets and len(query.buckets) > 1 else None,
        "categories": values(query.categories),
        "tags": values(query.tags),
        "session_id": query.session_id,
        "agent_id": query.agent_id,
        "name_keys": values(query.name_keys),
        "known_at": query.known_at,
        "as_of": query.as_of,
    }
    return filters if any(value is not None for value in filters.values()) else None
