"""EnrichmentQueue on Neo4j: memories whose `enrich_due_at` has come."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from graph_memory.domain.names import NameKind
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import Enrichment, Ids, NodeMention, PendingMemory, Refinable
from graph_memory.stores.connection import Connection
from graph_memory.stores.rows import instant
from graph_memory.stores.sequence import join_sessions

_MOST_REFINABLE = 100  # pairs looked at after one batch
_LABELS = {NameKind.PERSON: "Person", NameKind.ENTITY: "Entity"}


class Neo4jEnrichmentQueue:
    """Hands out memories of Neo4j for enrichment."""

    def __init__(self, connection: Connection, *, ids: Ids) -> None:
        self._connection, self._ids = connection, ids

    async def claim(self, *, claim: str, limit: int, at: datetime, lease: timedelta) -> list[PendingMemory]:
        rows = await self._connection.run(
            "enrichment/claim_memories", at=at, lease_until=at + lease, claim=claim, limit=limit
        )
        return [_pending(row) for row in rows]

    async def claim_one(
        self, memory_id: MemoryId, *, claim: str, at: datetime, lease: timedelta
    ) -> list[PendingMemory]:
        rows = await self._connection.run(
            "enrichment/claim_memory", id=memory_id, at=at, lease_until=at + lease, claim=claim
        )
        return [_pending(row) for row in rows]

    async def context_passages(self, pending: Sequence[PendingMemory], *, at: datetime) -> dict[MemoryId, str]:
        members = [memory.id for memory in pending if memory.in_session]
        if not members:
            return {}
        rows = await self._connection.run("enrichment/find_context_passages", ids=members, at=at)
        if misplaced := [(UserId(row["user_id"]), row["id"]) for row in rows if row["misplaced"]]:
            await self._connection.transaction(lambda transaction: join_sessions(transaction, misplaced, at=at))
            rows = await self._connection.run("enrichment/find_context_passages", ids=members, at=at)
        return {MemoryId(row["id"]): row["passage"] for row in rows if row["passage"] is not None}

    async def refinable(self, turns: Sequence[MemoryId], *, least_cosine: float, at: datetime) -> list[Refinable]:
        rows = await self._connection.run(
            "uses/find_refinable", ids=list(turns), at=at, cosine=least_cosine, limit=_MOST_REFINABLE
        )
        return [
            Refinable(UserId(row["user_id"]), MemoryId(row["turn_id"]), MemoryId(row["labile_id"]), row["cosine"])
            for row in rows
        ]

    async def finish(self, claim: str, done: Sequence[Enrichment], *, at: datetime) -> int:
        rows = await self._connection.run(
            "enrichment/finish_memories",
            claim=claim,
            at=at,
            nodes=self._nodes(done),
            rows=[_row(each) for each in sorted(done, key=lambda each: each.memory.id)],
        )
        return len(rows)

    async def fail(
        self, claim: str, failed: Mapping[MemoryId, str], *, at: datetime, retry_at: datetime, max_attempts: int
    ) -> int:
        rows = await self._connection.run(
            "enrichment/fail_memories",
            claim=claim,
            rows=[{"id": memory_id, "reason": reason} for memory_id, reason in sorted(failed.items())],
            at=at,
            retry_at=retry_at,
            max_attempts=max_attempts,
        )
        return sum(row["parked"] for row in rows)

    def _nodes(self, done: Sequence[Enrichment]) -> list[dict[str, Any]]:
        """Each named node once, in one order for every worker, so that two lock them alike."""
        nodes: dict[tuple[str, str, str], dict[str, Any]] = {}
        for each in done:
            for mention in each.mentions:
                key = (each.memory.user_id, _LABELS[mention.kind], mention.name_key)
                held = nodes.get(key)
                if held is None:
                    nodes[key] = {
                        "user_id": each.memory.user_id,
                        "label": _LABELS[mention.kind],
                        "id": self._ids.new(),
                        "name": mention.name,
                        "name_key": mention.name_key,
                        "last_mentioned_at": each.memory.occurred_at,
                        "memory_ids": [each.memory.id],
                    }
                else:
                    held["memory_ids"].append(each.memory.id)
                    held["last_mentioned_at"] = max(held["last_mentioned_at"], each.memory.occurred_at)
        return [nodes[key] for key in sorted(nodes)]


def _pending(row: Mapping[str, Any]) -> PendingMemory:
    return PendingMemory(
        user_id=UserId(row["user_id"]),
        id=MemoryId(row["id"]),
        text=row["text"],
        speaker=row["speaker"],
        people=tuple(row["people"]),
        entities=tuple(row["entities"]),
        occurred_at=instant(row["occurred_at"]),
        in_session=row["in_session"],
        attempts=row["attempts"],
    )


def _row(done: Enrichment) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    if done.context_embedding is not None:
        properties["context_embedding"] = done.context_embedding.tolist()
    return {
        "user_id": done.memory.user_id,
        "id": done.memory.id,
        "properties": properties,
        "persons": _named(mention for mention in done.mentions if mention.kind is NameKind.PERSON),
        "entities": _named(mention for mention in done.mentions if mention.kind is NameKind.ENTITY),
    }


def _named(mentions: Iterable[NodeMention]) -> list[dict[str, Any]]:
    ordered = sorted(mentions, key=lambda mention: mention.name_key)
    return [{"name_key": each.name_key, "weight": each.weight, "reason": each.reason} for each in ordered]
