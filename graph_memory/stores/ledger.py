"""LedgerStore on Neo4j."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import ChainMember, DecisionFilter, Floats, Position, Row
from graph_memory.stores.connection import Connection
from graph_memory.stores.full_text import lucene_query
from graph_memory.stores.positions import after_position, position_at
from graph_memory.stores.rows import maybe_instant, memory_from
from graph_memory.stores.vectors import sent

_POOL = 100  # candidates fetched from an index


class Neo4jLedgerStore:
    """Reads chains of supersession and the decision ledger in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def chain(self, user_id: UserId, memory_id: MemoryId, *, known_at: datetime) -> list[ChainMember]:
        rows = await self._connection.run("ledger/find_chain", user_id=user_id, id=memory_id, known_at=known_at)
        return [
            ChainMember(
                memory=memory_from(row["memory"]),
                successor_id=None if row["successor_id"] is None else MemoryId(row["successor_id"]),
                superseded_at=maybe_instant(row["superseded_at"]),
                reason=row["reason"],
            )
            for row in rows
        ]

    async def head(self, user_id: UserId, head_key: str) -> Memory | None:
        rows = await self._connection.run("ledger/find_head", user_id=user_id, head_key=head_key)
        return memory_from(rows[0]["memory"]) if rows else None

    async def decisions(
        self,
        user_id: UserId,
        wanted: DecisionFilter,
        *,
        as_of: datetime | None,
        known_at: datetime,
        after: Position | None,
        limit: int,
    ) -> list[Row[Memory]]:
        rows = await self._connection.run(
            "ledger/find_decisions",
            user_id=user_id,
            **_filter(wanted, as_of=as_of, known_at=known_at),
            **after_position(after),
            limit=limit,
        )
        memories = [memory_from(row["memory"]) for row in rows]
        return [Row(memory, position_at(memory.interval.valid_at, memory.id)) for memory in memories]

    async def count(
        self, user_id: UserId, wanted: DecisionFilter, *, as_of: datetime | None, known_at: datetime
    ) -> int:
        [row] = await self._connection.run(
            "ledger/count_decisions", user_id=user_id, **_filter(wanted, as_of=as_of, known_at=known_at)
        )
        return int(row["decisions"])

    async def topics(
        self, user_id: UserId, topic_key: str, *, domain_key: str | None, known_at: datetime
    ) -> list[MemoryId]:
        rows = await self._connection.run(
            "ledger/find_heads_of_topic",
            user_id=user_id,
            topic_key=topic_key,
            domain_key=domain_key,
            known_at=known_at,
        )
        return [MemoryId(row["id"]) for row in rows]

    async def by_words(
        self, user_id: UserId, words: Sequence[str], index_terms: Sequence[str], *, known_at: datetime, limit: int
    ) -> list[MemoryId]:
        query = lucene_query(
            user_id, field="search_text", terms_field="script_terms", words=words, index_terms=index_terms
        )
        rows = await self._connection.run(
            "ledger/find_by_words", user_id=user_id, text_query=query, known_at=known_at, pool=_POOL, limit=limit
        )
        return [MemoryId(row["id"]) for row in rows]

    async def near(
        self, user_id: UserId, vector: Floats, *, domain_key: str, least_cosine: float, at: datetime, limit: int
    ) -> list[Memory]:
        rows = await self._connection.run(
            "ledger/find_near_decisions",
            user_id=user_id,
            vector=sent(vector),
            domain_key=domain_key,
            at=at,
            least=least_cosine,
            pool=_POOL,
            limit=limit,
        )
        return [memory_from(row["memory"]) for row in rows]


def _filter(wanted: DecisionFilter, *, as_of: datetime | None, known_at: datetime) -> dict[str, Any]:
    return {
        "domain": wanted.domain_key,
        "topic_key": wanted.topic_key,
        "status": wanted.status.value if wanted.status else None,
        "as_of": as_of or known_at,
        "known_at": known_at,
        "dated": as_of is not None,
    }
