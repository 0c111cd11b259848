"""EnrichmentQueue on Neo4j: memories whose `enrich_due_at` has come."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from graph_memory.domain.names import CalledMemory, MemoryReference, NameKind, title_of
from graph_memory.domain.text import script_query_terms, words
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import Enrichment, Ids, NodeMention, PendingMemory, Refinable
from graph_memory.settings import LinkSettings
from graph_memory.stores.connection import Connection
from graph_memory.stores.full_text import lucene_query
from graph_memory.stores.rows import instant
from graph_memory.stores.sequence import join_sessions
from graph_memory.stores.vectors import sent

_MOST_REFINABLE = 100  # pairs looked at after one batch
_MOST_CALLED_ALIKE = 100  # memories looked at for each way in which one can bear a name
_LABELS = {NameKind.PERSON: "Person", NameKind.ENTITY: "Entity"}
_NO_REFERENCES: Mapping[MemoryId, Sequence[MemoryReference]] = {}


class Neo4jEnrichmentQueue:
    """Hands out memories of Neo4j for enrichment."""

    def __init__(self, connection: Connection, *, ids: Ids, links: LinkSettings) -> None:
        self._connection, self._ids, self._links = connection, ids, links

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

    async def known_by(self, names: Sequence[tuple[UserId, NameKind, str]]) -> dict[tuple[UserId, NameKind, str], int]:
        """How many memories refer to each of these nodes; those that are not there are left out."""
        rows = await self._connection.run(
            "enrichment/count_referring",
            nodes=[{"user_id": user_id, "kind": kind.value, "name_key": key} for user_id, kind, key in names],
        )
        return {(UserId(row["user_id"]), NameKind(row["kind"]), row["name_key"]): row["memories"] for row in rows}

    async def called(self, names: Sequence[tuple[UserId, str]], *, at: datetime) -> dict[UserId, list[CalledMemory]]:
        """The unexpired memories that may bear these names, by user; more may come than bear one."""
        asked = [{"user_id": user_id, "name": name, "text_query": _titled(user_id, name)} for user_id, name in names]
        rows = await self._connection.run("enrichment/find_called", names=asked, at=at, limit=_MOST_CALLED_ALIKE)
        called: dict[UserId, list[CalledMemory]] = {}
        for row in rows:
            memory = CalledMemory(MemoryId(row["id"]), row["external_id"], title_of(row["text"]))
            called.setdefault(UserId(row["user_id"]), []).append(memory)
        return called

    async def finish(
        self,
        claim: str,
        done: Sequence[Enrichment],
        *,
        at: datetime,
        references: Mapping[MemoryId, Sequence[MemoryReference]] = _NO_REFERENCES,
    ) -> int:
        rows = await self._connection.run(
            "enrichment/finish_memories",
            claim=claim,
            at=at,
            nodes=self._nodes(done),
            heading_weight=self._links.reference_weight,
            most_bearers=self._links.max_named_memories,
            most_naming=self._links.max_naming_memories,
            rows=[
                {**_row(each), **_referring(references.get(each.memory.id, ()))}
                for each in sorted(done, key=lambda each: each.memory.id)
            ],
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
    return {
        "user_id": done.memory.user_id,
        "id": done.memory.id,
        "context_embedding": None if done.context_embedding is None else sent(done.context_embedding),
        "persons": _named(mention for mention in done.mentions if mention.kind is NameKind.PERSON),
        "entities": _named(mention for mention in done.mentions if mention.kind is NameKind.ENTITY),
    }


def _named(mentions: Iterable[NodeMention]) -> list[dict[str, Any]]:
    ordered = sorted(mentions, key=lambda mention: mention.name_key)
    return [{"name_key": each.name_key, "weight": each.weight, "reason": each.reason} for each in ordered]


def _titled(user_id: UserId, name: str) -> str:
    """The full-text query for memories whose title a name may be."""
    return lucene_query(
        user_id,
        field="search_text",
        terms_field="script_terms",
        words=words(name),
        index_terms=script_query_terms(name),
    )


def _referring(references: Iterable[MemoryReference]) -> dict[str, Any]:
    """Links to memories, each target once by the heaviest name, and the reasons that links to memories may have."""
    links: dict[MemoryId, dict[str, Any]] = {}
    reasons = []
    for reference in sorted(references, key=lambda each: (-each.weight, each.name)):
        reason = f"[[{reference.name}]]"
        reasons.append(reason)
        for target in reference.targets:
            links.setdefault(target, {"id": target, "weight": reference.weight, "reason": reason})
    return {"memories": [links[target] for target in sorted(links)], "references": reasons}
