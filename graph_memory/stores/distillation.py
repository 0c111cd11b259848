"""DistillationStore on Neo4j. Each write locks the user, looks again at what it rests on, and takes effect whole."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import numpy as np

from graph_memory.domain.change import Change
from graph_memory.domain.distillation import SchemaStatus, Standing
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Category, MemoryId, UserId
from graph_memory.errors import ConflictError
from graph_memory.ports import (
    Drawable,
    Ending,
    Groupable,
    KnownSchema,
    NewMemory,
    Rewritten,
    Share,
    Transformation,
    Transformed,
)
from graph_memory.stores.connection import Connection, Row, Transaction
from graph_memory.stores.memories import Neo4jMemoryStore, drawables
from graph_memory.stores.rows import change_properties, instant, maybe_instant, memory_from

T = TypeVar("T")


class Neo4jDistillationStore:
    """Keeps in Neo4j what sleep draws from memories."""

    def __init__(self, connection: Connection, memories: Neo4jMemoryStore, *, embedder: str) -> None:
        self._connection, self._memories, self._embedder = connection, memories, embedder

    async def due_buckets(self, user_id: UserId, *, at: datetime) -> list[str]:
        rows = await self._connection.run(
            "distillation/find_due_buckets", user_id=user_id, at=at, embedder=self._embedder
        )
        return [row["bucket"] for row in rows]

    async def pool(self, user_id: UserId, bucket: str, *, at: datetime, limit: int) -> list[Groupable]:
        rows = await self._connection.run(
            "distillation/find_pool", user_id=user_id, bucket=bucket, at=at, embedder=self._embedder, limit=limit
        )
        return [_groupable(row, bucket=bucket, is_question=row["question"], is_due=row["due"]) for row in rows]

    async def plan(
        self,
        user_id: UserId,
        clusters: Mapping[str, Sequence[MemoryId]],
        *,
        noise: Sequence[MemoryId],
        until: datetime,
    ) -> int:
        rows = await self._connection.run(
            "distillation/plan_clusters",
            user_id=user_id,
            clusters=[{"key": key, "ids": list(ids)} for key, ids in clusters.items()],
            noise=list(noise),
            until=until,
        )
        return int(rows[0]["planned"]) if rows else 0

    async def planned(self, user_id: UserId) -> list[str]:
        rows = await self._connection.run("distillation/find_planned", user_id=user_id)
        return [row["key"] for row in rows]

    async def members(self, user_id: UserId, key: str) -> list[Drawable]:
        rows = await self._connection.run("distillation/find_members", user_id=user_id, key=key)
        return drawables(rows)

    async def of_cluster(self, user_id: UserId, key: str) -> MemoryId | None:
        rows = await self._connection.run("distillation/find_of_cluster", user_id=user_id, key=key)
        return MemoryId(rows[0]["id"]) if rows else None

    async def distil(
        self,
        user_id: UserId,
        key: str,
        shares: Sequence[Share],
        *,
        cluster_key: str,
        new: NewMemory | None,
        into: MemoryId | None,
        rewrite: Callable[[Memory], Rewritten] | None,
        joined: Callable[[Memory], Transformed],
        origin: str,
        reason: str,
        most: int,
        at: datetime,
        until: datetime,
    ) -> tuple[Ending, MemoryId | None]:
        async def distil_cluster(transaction: Transaction) -> tuple[Ending, MemoryId | None]:
            if not await _stand(transaction, user_id, key, shares):
                return Ending.OVERTAKEN, None
            drawn, statement_id = await self._statement(transaction, new, into)
            if statement_id is not None and not await _link(transaction, statement_id):
                drawn = Ending.KNOWN
            if statement_id is not None and drawn is Ending.JOINED:
                await _take(transaction, statement_id)
            ended = drawn in (Ending.KNOWN, Ending.VETOED)
            await transaction.run(
                "distillation/close_members", user_id=user_id, key=key, known=ended, at=at, until=until
            )
            return drawn, statement_id

        async def _link(transaction: Transaction, statement_id: MemoryId) -> bool:
            rows = await transaction.run(
                "distillation/link_sources",
                user_id=user_id,
                semantic_id=statement_id,
                key=cluster_key if new is not None and statement_id == new.memory.id else None,
                rows=[{"id": share.id, "cosine": share.cosine} for share in shares],
                reason=reason,
                origin=origin,
                most=most,
                at=at,
            )
            return bool(rows and rows[0]["linked"])

        async def _take(transaction: Transaction, statement_id: MemoryId) -> None:
            if rewrite is not None:
                await self._memories.rewrite_in(transaction, user_id, statement_id, rewrite, at=at)
                return
            await self._memories.transformed_in(
                transaction,
                user_id,
                [statement_id],
                lambda found: Transformation(tuple(joined(each) for each in found.values())),
                at=at,
            )

        return await self._again(distil_cluster)

    async def close(self, user_id: UserId, key: str, *, known: bool, at: datetime, until: datetime) -> None:
        await self._connection.run(
            "distillation/close_members", user_id=user_id, key=key, known=known, at=at, until=until
        )

    async def fading(self, user_id: UserId, *, limit: int) -> list[MemoryId]:
        rows = await self._connection.run("distillation/find_fading", user_id=user_id, limit=limit)
        return [MemoryId(row["id"]) for row in rows]

    async def fade(
        self, user_id: UserId, statement_id: MemoryId, faded: Callable[[Memory, float], Transformed], *, at: datetime
    ) -> int:
        async def fade_sources(transaction: Transaction) -> int:
            rows = await transaction.run("distillation/lock_fading", user_id=user_id, semantic_id=statement_id, at=at)
            cosines = {MemoryId(row["id"]): float(row["cosine"]) for row in rows}
            done: list[Transformed] = []

            def fade_all(found: Mapping[MemoryId, Memory]) -> Transformation:
                done[:] = [faded(memory, cosines[memory.id]) for memory in found.values()]
                return Transformation(tuple(done))

            if cosines:
                await self._memories.transformed_in(transaction, user_id, list(cosines), fade_all, at=at)
            await transaction.run(
                "distillation/finish_fading", user_id=user_id, semantic_id=statement_id, ids=list(cosines), at=at
            )
            return sum(bool(each.changes) for each in done)

        return await self._connection.transaction(fade_sources)

    async def facts(self, user_id: UserId, *, at: datetime, limit: int) -> list[Groupable]:
        rows = await self._connection.run(
            "schemas/find_facts", user_id=user_id, at=at, embedder=self._embedder, limit=limit
        )
        return [_groupable(row, bucket=row["bucket"], category=Category(row["category"])) for row in rows]

    async def schemas(self, user_id: UserId, *, at: datetime) -> list[KnownSchema]:
        rows = await self._connection.run("schemas/find_schemas", user_id=user_id, at=at)
        return [_schema(row) for row in rows]

    async def fact_members(self, user_id: UserId, ids: Sequence[MemoryId]) -> list[Drawable]:
        rows = await self._connection.run("schemas/find_members", user_id=user_id, ids=list(ids))
        return drawables(rows)

    async def add_schema(
        self, key: str, shares: Sequence[Share], new: NewMemory, standing: Standing, *, origin: str, at: datetime
    ) -> tuple[Ending, MemoryId | None]:
        async def write_schema(transaction: Transaction) -> tuple[Ending, MemoryId | None]:
            user_id = new.memory.user_id
            if not await _believed(transaction, user_id, shares, at=at):
                return Ending.OVERTAKEN, None
            drawn, schema_id = await self._statement(transaction, new, None)
            if drawn is not Ending.ADDED or schema_id is None:
                return (Ending.KNOWN if drawn is Ending.JOINED else drawn), schema_id
            await _write_standing(transaction, user_id, schema_id, key, shares, standing, origin=origin, at=at)
            return drawn, schema_id

        return await self._again(write_schema)

    async def renew_schema(
        self,
        key: str,
        shares: Sequence[Share],
        before: KnownSchema,
        standing: Standing,
        *,
        rewrite: Callable[[Memory], Rewritten] | None,
        believed: Callable[[Memory], Transformed],
        origin: str,
        at: datetime,
    ) -> bool:
        async def renew(transaction: Transaction) -> bool:
            user_id, schema_id = before.memory.user_id, before.memory.id
            if not await _believed(transaction, user_id, shares, at=at):
                return False
            if not await _is_as_read(transaction, before):
                return False
            await self._memories.transformed_in(
                transaction,
                user_id,
                [schema_id],
                lambda found: Transformation(tuple(believed(each) for each in found.values())),
                at=at,
            )
            if rewrite is not None:
                await self._memories.rewrite_in(transaction, user_id, schema_id, rewrite, at=at)
            await _write_standing(transaction, user_id, schema_id, key, shares, standing, origin=origin, at=at)
            return True

        return await self._again(renew)

    async def miss_schema(self, schema: KnownSchema, *, at: datetime) -> None:
        await self._connection.run("schemas/miss_schema", user_id=schema.memory.user_id, id=schema.memory.id, at=at)

    async def retire_schema(self, schema: KnownSchema, change: Change, *, at: datetime) -> bool:
        rows = await self._connection.run(
            "schemas/retire_schema",
            user_id=schema.memory.user_id,
            id=schema.memory.id,
            missed_at=schema.standing.missed_at,
            at=at,
            change=change_properties(change),
        )
        return bool(rows)

    async def sources(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[MemoryId]]:
        rows = await self._connection.run("distillation/find_sources", user_id=user_id, ids=list(dict.fromkeys(ids)))
        found: dict[MemoryId, list[MemoryId]] = {}
        for row in rows:
            found.setdefault(MemoryId(row["drawn_id"]), []).append(MemoryId(row["source_id"]))
        return found

    async def _statement(
        self, transaction: Transaction, new: NewMemory | None, into: MemoryId | None
    ) -> tuple[Ending, MemoryId | None]:
        """The memory that the links start from: the new one, an equal one, or the one that was named."""
        if new is None:
            return Ending.JOINED, into
        [written] = await self._memories.write_in(transaction, [new])
        if written.vetoed or written.memory_id is None:
            return Ending.VETOED, None
        return (Ending.ADDED if written.memory_id == new.memory.id else Ending.JOINED), written.memory_id

    async def _again(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        try:
            return await self._connection.transaction(work)
        except ConflictError:  # an equal memory was written meanwhile; now it can be seen
            return await self._connection.transaction(work)


async def _stand(transaction: Transaction, user_id: UserId, key: str, shares: Sequence[Share]) -> bool:
    """Whether the members of a cluster are still what its text was drawn from."""
    ids = sorted(share.id for share in shares)
    rows = await transaction.run("distillation/lock_members", user_id=user_id, ids=ids, key=key)
    return {row["id"]: row["content_hash"] for row in rows} == {share.id: share.content_hash for share in shares}


async def _believed(transaction: Transaction, user_id: UserId, shares: Sequence[Share], *, at: datetime) -> bool:
    """Whether the members of a schema are still believed, with the texts that its text was drawn from."""
    ids = sorted(share.id for share in shares)
    rows = await transaction.run("schemas/lock_members", user_id=user_id, ids=ids, at=at)
    return {row["id"]: row["content_hash"] for row in rows} == {share.id: share.content_hash for share in shares}


async def _is_as_read(transaction: Transaction, schema: KnownSchema) -> bool:
    """Whether no other worker renewed a schema meanwhile."""
    rows = await transaction.run("schemas/get_standing", user_id=schema.memory.user_id, id=schema.memory.id)
    read = (schema.standing.inductions, schema.standing.induced_at)
    return bool(rows) and (rows[0]["inductions"], instant(rows[0]["induced_at"])) == read


async def _write_standing(
    transaction: Transaction,
    user_id: UserId,
    schema_id: MemoryId,
    key: str,
    shares: Sequence[Share],
    standing: Standing,
    *,
    origin: str,
    at: datetime,
) -> None:
    await transaction.run(
        "schemas/write_standing",
        user_id=user_id,
        id=schema_id,
        key=key,
        properties={
            "schema_status": standing.status.value,
            "induced_at": standing.induced_at,
            "inductions": standing.inductions,
            "same_members": standing.same_members,
            "missed_at": None,
        },
        rows=[{"id": share.id, "cosine": share.cosine} for share in shares],
        origin=origin,
        at=at,
    )


def _groupable(row: Row, *, bucket: str, **fields: Any) -> Groupable:
    return Groupable(
        id=MemoryId(row["id"]),
        text=row["text"],
        vector=np.asarray(row["embedding"], np.float32),
        speaker=row["speaker"],
        people=tuple(row["people"]),
        entities=tuple(row["entities"]),
        persons=tuple(row["persons"]),
        bucket=bucket,
        **fields,
    )


def _schema(row: Row) -> KnownSchema:
    stored = row["schema"]
    memory = memory_from(stored)
    return KnownSchema(
        memory=memory,
        key=stored.get("cluster_key") or "",
        standing=Standing(
            confidence=memory.confidence,
            status=SchemaStatus(stored.get("schema_status") or SchemaStatus.HYPOTHESIS),
            inductions=stored.get("inductions") or 1,
            same_members=stored.get("same_members") or 1,
            induced_at=instant(stored["induced_at"]) if stored.get("induced_at") else memory.interval.created_at,
            missed_at=maybe_instant(stored.get("missed_at")),
        ),
        member_ids=tuple(MemoryId(each) for each in row["member_ids"]),
    )
