"""ComparisonStore on Neo4j: neighbours by the vector index, judgements as nodes, what follows in one transaction."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from graph_memory.domain.change import Change
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Horizon, Kind, MemoryId, UserId
from graph_memory.errors import ConflictError
from graph_memory.ports import (
    Ids,
    Judgement,
    MergedInto,
    Merger,
    Near,
    Pair,
    Purpose,
    Rewritten,
    Succession,
    Transformation,
    Transformed,
)
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.memories import Neo4jMemoryStore
from graph_memory.stores.rows import values
from graph_memory.stores.sequence import leave_session
from graph_memory.stores.succession import join_successors, lock, retire, stand_against


class Neo4jComparisonStore:
    """Compares memories in Neo4j."""

    def __init__(
        self, connection: Connection, memories: Neo4jMemoryStore, *, dates_by: str, near_pool: int, ids: Ids
    ) -> None:
        self._connection, self._memories, self._dates_by = connection, memories, dates_by
        self._near_pool, self._ids = near_pool, ids

    async def count_facts(self, user_id: UserId, *, at: datetime) -> int:
        [row] = await self._connection.run("comparisons/count_facts", user_id=user_id, at=at)
        return int(row["facts"])

    async def uncompared(
        self,
        user_id: UserId,
        purpose: Purpose,
        *,
        kinds: Sequence[Kind],
        horizons: Sequence[Horizon],
        at: datetime,
        limit: int,
    ) -> list[MemoryId]:
        rows = await self._connection.run(
            "comparisons/find_uncompared",
            user_id=user_id,
            purpose=purpose.value,
            kinds=values(kinds),
            horizons=values(horizons),
            at=at,
            limit=limit,
        )
        return [MemoryId(row["id"]) for row in rows]

    async def near(
        self,
        user_id: UserId,
        ids: Sequence[MemoryId],
        *,
        kinds: Sequence[Kind],
        horizons: Sequence[Horizon],
        least_cosine: float,
        at: datetime,
    ) -> list[Near]:
        if not ids:
            return []
        rows = await self._connection.run(
            "comparisons/find_near",
            user_id=user_id,
            ids=list(ids),
            kinds=values(kinds),
            horizons=values(horizons),
            least=least_cosine,
            at=at,
            pool=self._near_pool,
        )
        return [Near(MemoryId(row["id"]), MemoryId(row["near_id"]), row["cosine"]) for row in rows]

    async def judged(self, user_id: UserId, purpose: Purpose, pairs: Sequence[Pair]) -> dict[Pair, tuple[str, ...]]:
        keys = {_key(purpose, pair): pair for pair in pairs}
        if not keys:
            return {}
        rows = await self._connection.run("comparisons/find_judgements", user_id=user_id, keys=sorted(keys))
        return {keys[row["pair_key"]]: tuple(row["text_hashes"]) for row in rows}

    async def note(
        self,
        user_id: UserId,
        purpose: Purpose,
        *,
        judgements: Sequence[Judgement],
        compared: Mapping[MemoryId, str],
        at: datetime,
    ) -> None:
        async def note_judgements(transaction: Transaction) -> None:
            await lock(transaction, user_id, [*compared, *(each for one in judgements for each in one.pair)])
            await self._write_judgements(transaction, user_id, judgements, at=at)
            rows = [{"id": memory_id, "text_hash": text_hash} for memory_id, text_hash in sorted(compared.items())]
            await transaction.run("comparisons/mark_compared", user_id=user_id, purpose=purpose.value, rows=rows)

        if judgements or compared:
            await self._connection.transaction(note_judgements)

    async def settle(
        self, user_id: UserId, succession: Succession, new_id: MemoryId, judgement: Judgement, *, at: datetime
    ) -> Memory:
        async def settle_contradiction(transaction: Transaction) -> Memory:
            found = await lock(transaction, user_id, [succession.old_id, new_id])
            if new_id not in found or not found[new_id].is_current(at):
                raise ConflictError(f"memory {new_id} is no longer current")
            [old] = await retire(transaction, user_id, [succession], dates_by=self._dates_by)
            await join_successors(transaction, user_id, new_id, [succession], at=at)
            await self._write_judgements(transaction, user_id, [judgement], at=at)
            return old

        return await self._connection.transaction(settle_contradiction)

    async def stand_against(
        self, user_id: UserId, new_id: MemoryId, old_id: MemoryId, judgement: Judgement, change: Change, *, at: datetime
    ) -> None:
        async def note_contradiction(transaction: Transaction) -> None:
            found = await lock(transaction, user_id, [old_id, new_id])
            if {old_id, new_id} > set(found) or not all(memory.is_current(at) for memory in found.values()):
                raise ConflictError(f"memory {old_id} or {new_id} is no longer current")
            await stand_against(transaction, user_id, new_id, [old_id], at=at)
            told = Transformation((Transformed(found[new_id], (change,)),))
            await self._memories.transformed_in(transaction, user_id, [new_id], lambda _: told, at=at)
            await self._write_judgements(transaction, user_id, [judgement], at=at)

        await self._connection.transaction(note_contradiction)

    async def merge(
        self,
        user_id: UserId,
        ids: Sequence[MemoryId],
        merge: Callable[[Mapping[MemoryId, Memory]], Merger],
        *,
        most_sources: int,
        at: datetime,
    ) -> None:
        async def merge_memories(transaction: Transaction) -> None:
            before = await lock(transaction, user_id, ids)
            merger = merge(before)
            await self._check(transaction, user_id, ids, merger, most_sources=most_sources)
            await self._write_merged(transaction, user_id, before, merger, at=at)

        try:
            await self._connection.transaction(merge_memories)
        except ConflictError as error:
            raise ConflictError(f"memories {', '.join(ids)} stay apart: {error}") from error

    async def merged_into(self, user_id: UserId, memory_id: MemoryId) -> list[MergedInto]:
        rows = await self._connection.run("merging/find_merged_into", user_id=user_id, id=memory_id)
        return [MergedInto(memory_id=MemoryId(row["id"]), own=row["own"], others=tuple(row["others"])) for row in rows]

    async def forget_texts(
        self,
        user_id: UserId,
        memory_id: MemoryId,
        texts: Sequence[str],
        rewritten: Rewritten | None,
        *,
        at: datetime,
    ) -> None:
        async def forget(transaction: Transaction) -> None:
            if rewritten is not None:
                await self._memories.rewrite_in(transaction, user_id, memory_id, lambda _: rewritten, at=at)
            await transaction.run(
                "merging/forget_texts",
                user_id=user_id,
                id=memory_id,
                texts=list(texts),
                documents=[json.dumps(text, ensure_ascii=False) for text in texts],
            )

        await self._connection.transaction(forget)

    async def _check(
        self, transaction: Transaction, user_id: UserId, ids: Sequence[MemoryId], merger: Merger, *, most_sources: int
    ) -> None:
        text_hash = merger.stays.text_hash if isinstance(merger.stays, Rewritten) else ""
        [row] = await transaction.run("merging/check_merge", user_id=user_id, ids=list(ids), text_hash=text_hash)
        if row["sources"] > most_sources:
            raise ConflictError(f"together they have {row['sources']} sources")
        if row["erased"]:
            raise ConflictError("the text was erased")

    async def _write_merged(
        self,
        transaction: Transaction,
        user_id: UserId,
        before: Mapping[MemoryId, Memory],
        merger: Merger,
        *,
        at: datetime,
    ) -> None:
        stays = merger.stays.memory
        # First those that give way: the one that stays may then hold what only one current memory can.
        await retire(transaction, user_id, merger.successions, dates_by=self._dates_by)
        await join_successors(transaction, user_id, stays.id, merger.successions, at=at)
        for succession in merger.successions:
            if before[succession.old_id].session_id is not None:
                await leave_session(transaction, user_id, succession.old_id, at=at)
        await self._write_first(transaction, user_id, merger.stays, at=at)
        await transaction.run(
            "merging/inherit_links",
            user_id=user_id,
            id=stays.id,
            ids=[each.old_id for each in merger.successions],
            properties={"tags": list(stays.tags), "valid_at": stays.interval.valid_at},
        )
        await self._write_judgements(transaction, user_id, merger.judgements, at=at)

    async def _write_first(
        self, transaction: Transaction, user_id: UserId, first: Rewritten | Transformed, *, at: datetime
    ) -> None:
        if isinstance(first, Rewritten):
            await self._memories.rewrite_in(transaction, user_id, first.memory.id, lambda _: first, at=at)
        else:
            await self._memories.transformed_in(
                transaction, user_id, [first.memory.id], lambda _: Transformation((first,)), at=at
            )

    async def _write_judgements(
        self, transaction: Transaction, user_id: UserId, judgements: Iterable[Judgement], *, at: datetime
    ) -> None:
        rows = [self._row(each, at) for each in judgements]
        if rows:
            await transaction.run("comparisons/write_judgements", user_id=user_id, rows=rows)

    def _row(self, judgement: Judgement, at: datetime) -> dict[str, Any]:
        first, second = judgement.pair
        return {
            "id": self._ids.new(),
            "pair_key": _key(judgement.purpose, judgement.pair),
            "first_id": first,
            "second_id": second,
            "properties": {
                "text_hashes": list(judgement.text_hashes),
                "verdict": judgement.verdict,
                "judged_by": judgement.judged_by,
                "at": at,
            },
        }


def _key(purpose: Purpose, pair: Pair) -> str:
    return " ".join((purpose.value, *pair))
