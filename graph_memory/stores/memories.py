"""MemoryStore on Neo4j."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from graph_memory.domain.change import Change
from graph_memory.domain.decay import FAR_FUTURE, StrengthCurve
from graph_memory.domain.episode import EpisodeRules
from graph_memory.domain.identity import retelling_id
from graph_memory.domain.identity import text_hash as hash_of_text
from graph_memory.domain.memory import Memory
from graph_memory.domain.people import PersonRules
from graph_memory.domain.relationship import RelationshipRules
from graph_memory.domain.vocabulary import Kind, MemoryId, MemoryOrder, Source, UserId, WriteOperation
from graph_memory.errors import ConflictError, GraphMemoryError, NotFoundError
from graph_memory.ports import (
    Drawable,
    Floats,
    Judge,
    MemoryFilter,
    MendedInsight,
    NewMemory,
    Position,
    Receipt,
    Remnants,
    Rewritten,
    Row,
    Succession,
    Transform,
    Transformation,
    Transformed,
    Verdict,
    Written,
)
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.episodes import forget_turns
from graph_memory.stores.full_text import lucene_query
from graph_memory.stores.group_commit import GroupCommit
from graph_memory.stores.links import change_links
from graph_memory.stores.people import forget_source
from graph_memory.stores.rows import (
    change_properties,
    changed_properties,
    memory_from,
    memory_properties,
    receipt_properties,
    rewritten_properties,
    updated_properties,
    values,
    verdicts_from,
)
from graph_memory.stores.sequence import join_sessions, leave_sequence, leave_session, prime_sessions, rebuild_around
from graph_memory.stores.succession import join_successors, lock, retire, stand_against
from graph_memory.stores.traces import forget_plans, forget_topics, topics_of
from graph_memory.stores.vectors import sent

_EARLIEST = datetime(1, 1, 1, tzinfo=FAR_FUTURE.tzinfo)
_MOST_WORDS = 64  # Lucene refuses very long lists of clauses
_CANDIDATE_POOL = 50  # fetched from each index
_CANDIDATE_RRF_K = 5.0
_ERASE_BATCH = 1_000  # nodes of each label in one transaction


@dataclass(frozen=True, slots=True)
class _Order:
    key: str
    direction: int


_ORDERS = {
    MemoryOrder.CREATED_DESC: _Order("created", -1),
    MemoryOrder.CREATED_ASC: _Order("created", 1),
    MemoryOrder.OCCURRED_DESC: _Order("occurred", -1),
    MemoryOrder.OCCURRED_ASC: _Order("occurred", 1),
    MemoryOrder.STRENGTH_DESC: _Order("strength", -1),
    MemoryOrder.FADING_FIRST: _Order("fading", 1),
}


class Neo4jMemoryStore:
    """Keeps memories in Neo4j; new ones through group commit."""

    def __init__(
        self,
        connection: Connection,
        *,
        embedder: str,
        dates_by: str,
        curve: StrengthCurve,
        labile_most: int,
        people: PersonRules,
        episodes: EpisodeRules,
        relationship: RelationshipRules,
        gather_seconds: float,
        group_rows: int,
    ) -> None:
        self._connection, self._embedder, self._dates_by, self._curve = connection, embedder, dates_by, curve
        self._labile_most, self._people = labile_most, people
        self._episodes, self._relationship = episodes, relationship
        self._writes: GroupCommit[NewMemory, Written] = GroupCommit(
            self._write_group, keys=_identities, gather_seconds=gather_seconds, group_rows=group_rows
        )

    async def close(self) -> None:
        """Waits for writes under way."""
        await self._writes.close()

    async def add(self, new: Sequence[NewMemory]) -> list[Written | GraphMemoryError]:
        return await self._writes.add(new)

    async def replayed(self, user_id: UserId, keys: Sequence[str]) -> dict[str, Written]:
        if not keys:
            return {}
        rows = [{"key": key, "retelling_id": retelling_id(user_id, key)} for key in keys]
        found = await self._connection.run("memories/find_replayed", user_id=user_id, rows=rows)
        return {
            row["key"]: Written(
                WriteOperation.ADD if row["own"] else WriteOperation.NONE, MemoryId(row["memory_id"]), replayed=True
            )
            for row in found
        }

    async def get(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, Memory]:
        rows = await self._connection.run("memories/get_memories", user_id=user_id, ids=list(dict.fromkeys(ids)))
        found = [memory_from(row["memory"]) for row in rows]
        return {memory.id: memory for memory in found}

    async def candidates(
        self,
        user_id: UserId,
        *,
        vector: Floats,
        words: Sequence[str],
        index_terms: Sequence[str],
        kind: Kind,
        buckets: Sequence[str],
        limit: int,
        at: datetime,
    ) -> list[tuple[Memory, float]]:
        query = lucene_query(
            user_id,
            field="search_text",
            terms_field="script_terms",
            words=words[:_MOST_WORDS],
            index_terms=index_terms[:_MOST_WORDS],
            buckets=buckets,
        )
        rows = await self._connection.run(
            "memories/find_candidates",
            user_id=user_id,
            vector=sent(vector),
            text_query=query,
            kind=kind.value,
            buckets=list(buckets),
            at=at,
            pool=_CANDIDATE_POOL,
            rrf_k=_CANDIDATE_RRF_K,
            limit=limit,
        )
        return [(memory_from(row["memory"]), row["cosine"]) for row in rows]

    async def find(
        self,
        user_id: UserId,
        wanted: MemoryFilter,
        *,
        order: MemoryOrder,
        after: Position | None,
        before: Position | None,
        backward: bool,
        limit: int,
        at: datetime,
    ) -> list[Row[Memory]]:
        chosen = _ORDERS[order]
        rows = await self._connection.run(
            "memories/find_memories",
            user_id=user_id,
            at=at,
            order=chosen.key,
            direction=chosen.direction,
            after_key=after.key if after else None,
            after_id=after.id if after else None,
            before_key=before.key if before else None,
            before_id=before.id if before else None,
            step=-1 if backward else 1,
            limit=limit,
            half_life_hours=self._curve.half_life_hours,
            stability_gain=self._curve.stability_gain,
            stability_power=self._curve.stability_power,
            arousal_gain=self._curve.arousal_gain,
            time_scale=self._curve.time_scale,
            **_filter_params(wanted),
        )
        return [Row(memory_from(row["memory"]), Position(row["order_key"], row["memory"]["id"])) for row in rows]

    async def count(self, user_id: UserId, wanted: MemoryFilter, *, at: datetime) -> int:
        [row] = await self._connection.run("memories/count_memories", user_id=user_id, at=at, **_filter_params(wanted))
        return int(row["memories"])

    async def transform(
        self,
        user_id: UserId,
        ids: Sequence[MemoryId],
        transform: Transform,
        *,
        at: datetime,
        receipts: Sequence[Receipt] = (),
    ) -> dict[MemoryId, Memory]:
        async def transform_memories(transaction: Transaction) -> dict[MemoryId, Memory]:
            taken = await transaction.run(
                "uses/take_receipts", user_id=user_id, rows=[receipt_properties(receipt) for receipt in receipts]
            )
            fresh = frozenset(row["id"] for row in taken)
            return await self.transformed_in(transaction, user_id, ids, lambda found: transform(found, fresh), at=at)

        return await self._connection.transaction(transform_memories)

    async def judge(
        self, user_id: UserId, ids: Sequence[MemoryId], verdict: Verdict, judge: Judge, *, at: datetime
    ) -> dict[MemoryId, Memory]:
        async def judge_memories(transaction: Transaction) -> dict[MemoryId, Memory]:
            rows = await transaction.run(
                "receipts/take_feedback",
                user_id=user_id,
                receipt_id=verdict.receipt_id,
                used=list(verdict.used),
                misleading=list(verdict.misleading),
            )
            if not rows:
                raise NotFoundError("receipt", verdict.receipt_id)
            fresh, before = verdicts_from(verdict.receipt_id, rows[0])
            return await self.transformed_in(
                transaction, user_id, ids, lambda found: judge(found, fresh, before), at=at
            )

        return await self._connection.transaction(judge_memories)

    async def update(
        self,
        memory: Memory,
        *,
        content_hash: str,
        search_text: str,
        changes: Sequence[Change],
        at: datetime,
        moves_in_session: bool,
        renamed: bool,
        moved: bool,
    ) -> bool:
        owner, member = memory.user_id, (memory.user_id, memory.id)

        async def update_memory(transaction: Transaction) -> bool:
            beside = await leave_sequence(transaction, owner, memory.id, at=at) if moves_in_session else []
            rows = await transaction.run(
                "memories/update_memory",
                user_id=owner,
                id=memory.id,
                properties=updated_properties(memory, content_hash=content_hash, search_text=search_text),
                changes=[change_properties(change) for change in changes],
                relink=renamed,
                unlink=renamed or moved,
                at=at,
            )
            if moves_in_session and rows:
                await join_sessions(transaction, [member], at=at, beside=beside)
            return bool(rows)

        try:
            return await self._connection.transaction(update_memory)
        except ConflictError as error:
            raise ConflictError("an equal memory is current there") from error

    async def supersede(
        self, user_id: UserId, succession: Succession, new_id: MemoryId, *, at: datetime
    ) -> tuple[Memory, Memory]:
        async def supersede_memory(transaction: Transaction) -> tuple[Memory, Memory]:
            found = await lock(transaction, user_id, [succession.old_id, new_id])
            for memory_id in (succession.old_id, new_id):
                if memory_id not in found:
                    raise NotFoundError("memory", memory_id)
            [row] = await transaction.run(
                "ledger/leads_to", user_id=user_id, from_id=new_id, to_id=succession.old_id, at=at
            )
            if row["leads"]:
                raise ConflictError("the newer memory was itself superseded by the older one")
            [old] = await retire(transaction, user_id, [succession], dates_by=self._dates_by)
            await join_successors(transaction, user_id, new_id, [succession], at=at)
            return old, found[new_id]

        return await self._connection.transaction(supersede_memory)

    async def rewrite(
        self,
        user_id: UserId,
        memory_id: MemoryId,
        rewrite: Callable[[Memory], Rewritten],
        *,
        at: datetime,
    ) -> Memory:
        async def rewrite_memory(transaction: Transaction) -> Memory:
            return await self.rewrite_in(transaction, user_id, memory_id, rewrite, at=at)

        try:
            return await self._connection.transaction(rewrite_memory)
        except ConflictError as error:
            raise ConflictError("an equal memory is current") from error

    async def expire(self, user_id: UserId, memory_id: MemoryId, change: Change, *, at: datetime) -> bool:
        async def expire_memory(transaction: Transaction) -> bool:
            rows = await transaction.run(
                "memories/expire_memory", user_id=user_id, id=memory_id, at=at, change=change_properties(change)
            )
            if rows and rows[0]["expired"]:
                await leave_session(transaction, user_id, memory_id, at=at)
            return bool(rows)

        return await self._connection.transaction(expire_memory)

    async def restore(
        self,
        user_id: UserId,
        memory_id: MemoryId,
        begins_with: Mapping[str, object],
        change: Change,
        *,
        at: datetime,
    ) -> bool:
        async def restore_memory(transaction: Transaction) -> bool:
            rows = await transaction.run(
                "memories/restore_memory",
                user_id=user_id,
                id=memory_id,
                at=at,
                open_end=FAR_FUTURE,
                dates=dict(begins_with),
                change=change_properties(change),
            )
            if rows:
                await join_sessions(transaction, [(user_id, memory_id)], at=at)
            return bool(rows)

        try:
            return await self._connection.transaction(restore_memory)
        except ConflictError as error:
            raise ConflictError("an equal memory is current; forget that one first") from error

    async def erase(
        self,
        user_id: UserId,
        memory_id: MemoryId,
        text_hash: str,
        change: Change,
        *,
        remnants: Remnants,
        at: datetime,
    ) -> int | None:
        async def erase_memory(transaction: Transaction) -> int | None:
            named, topics, touched = set[str](), set[str](), 0
            for place, memory in enumerate(await self._drawn_alone(transaction, user_id, memory_id)):
                own_hash, row = hash_of_text(user_id, memory.text), _told_of(memory, change, place)
                over, mended = await self._mend_drawn(transaction, user_id, memory.id, remnants, without=True, at=at)
                gone = await self._erase_in(transaction, user_id, memory.id, own_hash, row, at=at)
                named |= {*over, *(gone.named_ids if gone else ())}
                topics |= set(gone.topics if gone else ())
                touched += 1 + mended + (gone.touched if gone else 0)
            over, mended = await self._mend_drawn(transaction, user_id, memory_id, remnants, without=True, at=at)
            erased = await self._erase_in(transaction, user_id, memory_id, text_hash, change, at=at)
            if erased is None:
                return None
            [unnamed] = await transaction.run(
                "names/erase_unnamed", user_id=user_id, ids=sorted({*named, *over, *erased.named_ids})
            )
            await forget_topics(transaction, user_id, sorted({*topics, *erased.topics}))
            return touched + mended + erased.touched + int(unnamed["erased"])

        return await self._connection.transaction(erase_memory)

    async def _erase_in(
        self,
        transaction: Transaction,
        user_id: UserId,
        memory_id: MemoryId,
        text_hash: str,
        change: Change,
        *,
        at: datetime,
    ) -> "_Erased | None":
        topics = await topics_of(transaction, user_id, memory_id)
        touched = await forget_turns(
            transaction, user_id, memory_id, episodes=self._episodes, relationship=self._relationship, at=at
        )
        touched += await leave_session(transaction, user_id, memory_id, at=at)
        touched += await forget_source(transaction, user_id, memory_id, rules=self._people, at=at)
        rows = await transaction.run(
            "memories/erase_memory",
            user_id=user_id,
            id=memory_id,
            tombstone={"id": change.id, "text_hash": text_hash, "at": at, "reason": change.reason},
            change=change_properties(change),
        )
        if not rows:
            return None
        await forget_plans(transaction, user_id, memory_id)
        return _Erased(tuple(rows[0]["named_ids"]), touched, tuple(topics))

    async def _drawn_alone(self, transaction: Transaction, user_id: UserId, memory_id: MemoryId) -> list[Memory]:
        """What extraction drew from a memory and no other source holds; it goes with the memory."""
        rows = await transaction.run("extraction/find_drawn", user_id=user_id, id=memory_id)
        ids = [MemoryId(row["id"]) for row in rows if not row["stands"]]
        return list((await lock(transaction, user_id, ids)).values()) if ids else []

    async def _mend_drawn(
        self,
        transaction: Transaction,
        user_id: UserId,
        memory_id: MemoryId,
        remnants: Remnants,
        *,
        without: bool,
        at: datetime,
    ) -> tuple[set[str], int]:
        """Rewrites what sleep drew from a memory that goes, or, if not `without` it, that says something else now.

        What has no source left goes. Schemas over what changed are mended in the same way. Gives the persons and
        entities that these texts named, and how many memories changed.
        """
        rows = await transaction.run("distillation/find_drawn", user_id=user_id, id=memory_id)
        found = {MemoryId(row["drawn"]["id"]): row["drawn"] for row in rows}
        standing = await lock(transaction, user_id, list(found)) if found else {}
        named: set[str] = set()
        touched = 0
        for memory in standing.values():
            rest = drawables(
                [row for row in rows if row["drawn"]["id"] == memory.id], without=memory_id if without else ""
            )
            stays = await self._rewrite_from(transaction, memory, rest, remnants, at=at)
            named_above, touched_above = await self._mend_drawn(
                transaction, user_id, memory.id, remnants, without=not stays, at=at
            )
            if not stays:
                text_hash, change = remnants.erased(memory)
                await self._erase_in(transaction, user_id, memory.id, text_hash, change, at=at)
            named |= {*(found[memory.id].get("named_ids") or ()), *named_above}
            touched += 1 + touched_above
        return named, touched

    async def _rewrite_from(
        self, transaction: Transaction, memory: Memory, rest: Sequence[Drawable], remnants: Remnants, *, at: datetime
    ) -> bool:
        """Gives a memory the best text that the rest of its sources have to give; False when there is none.

        A text that another current memory holds, or that was erased, is passed over.
        """
        choices = remnants.rewritten(memory, rest) if rest else ()
        return await self._rewrite_with(transaction, memory, choices, at=at)

    async def _rewrite_with(
        self, transaction: Transaction, memory: Memory, choices: Sequence[Rewritten], *, at: datetime
    ) -> bool:
        """Gives a memory the first text that is free; False when none is."""
        rows = [
            {
                "user_id": memory.user_id,
                "idempotency_key": None,
                "current_key": each.memory.content_hash,
                "text_hash": each.text_hash,
            }
            for each in choices
        ]
        [found] = await transaction.run("memories/find_standing", rows=rows)
        for each, standing in zip(choices, found["standing"], strict=True):
            if not standing["tombstone"] and standing["equal_id"] in (None, memory.id):
                await self.rewrite_in(transaction, memory.user_id, memory.id, _always(each), at=at)
                await transaction.run("distillation/forget_texts", user_id=memory.user_id, id=memory.id)
                return True
        return False

    async def mend_insights_in(
        self,
        transaction: Transaction,
        user_id: UserId,
        insights: Sequence[MendedInsight],
        remnants: Remnants,
        *,
        at: datetime,
    ) -> None:
        """What becomes of insights, and of what sleep drew from them, within a transaction of the caller's."""
        named, topics = set[str](), set[str]()
        for each in (each for each in insights if not each.stays):
            memory, choices = each.drawn.memory, [each.rewritten] if each.rewritten else []
            stays = bool(choices) and await self._rewrite_with(transaction, memory, choices, at=at)
            over, _ = await self._mend_drawn(transaction, user_id, memory.id, remnants, without=not stays, at=at)
            named |= {*each.drawn.named_ids, *over}
            if not stays:
                text_hash, change = remnants.erased(memory)
                gone = await self._erase_in(transaction, user_id, memory.id, text_hash, change, at=at)
                topics |= set(gone.topics if gone else ())
        await transaction.run("names/erase_unnamed", user_id=user_id, ids=sorted(named))
        await forget_topics(transaction, user_id, sorted(topics))

    async def erase_everything(self, user_id: UserId, change: Change, *, at: datetime) -> int:
        memories = 0
        while True:
            [row] = await self._connection.run("graph/erase_user_batch", user_id=user_id, limit=_ERASE_BATCH)
            memories += int(row["memories"])
            if not row["erased"]:
                break
        await self._connection.run("graph/add_change", user_id=user_id, change=change_properties(change))
        return memories

    async def prime(self, *, at: datetime) -> None:
        async def plan(transaction: Transaction) -> None:
            for name in ("memories/find_standing", "memories/add_memories"):
                await transaction.run(name, rows=[])
            await prime_sessions(transaction, at=at)

        await self._connection.transaction(plan)

    async def _write_group(self, new: Sequence[NewMemory]) -> list[Written]:
        async def add_memories(transaction: Transaction) -> list[Written]:
            return await self.write_in(transaction, new)

        try:
            return await self._connection.transaction(add_memories)
        except ConflictError:  # another process wrote one of these keys meanwhile; now it can be seen
            return await self._connection.transaction(add_memories)

    async def write_in(self, transaction: Transaction, new: Sequence[NewMemory]) -> list[Written]:
        """`add` within a transaction of the caller's."""
        [row] = await transaction.run(
            "memories/find_standing",
            rows=[
                {
                    "user_id": each.memory.user_id,
                    "idempotency_key": each.idempotency_key,
                    "current_key": each.memory.content_hash,
                    "text_hash": each.text_hash,
                }
                for each in new
            ],
        )
        standing: list[dict[str, Any]] = row["standing"]
        written = [_outcome(each, row) for each, row in zip(new, standing, strict=True)]
        superseded: dict[MemoryId | None, tuple[Memory, ...]] = {}
        fresh = [
            each
            for each, outcome, row in zip(new, written, standing, strict=True)
            if outcome.operation is WriteOperation.ADD and not _stands(row)
        ]
        retired = [await self._retire(transaction, each) for each in fresh]
        if fresh:
            await transaction.run("memories/add_memories", rows=[self._row(each) for each in _by_owner(fresh)])
            in_sessions = [(each.memory.user_id, each.memory.id) for each in fresh if each.memory.session_id]
            await join_sessions(transaction, in_sessions, at=max(map(_born_at, fresh)))
        for each, old in zip(fresh, retired, strict=True):
            await join_successors(transaction, each.memory.user_id, each.memory.id, each.successions, at=_born_at(each))
            superseded[each.memory.id] = old
            await stand_against(transaction, each.memory.user_id, each.memory.id, each.contradicts, at=_born_at(each))
        return [replace(outcome, superseded=superseded.get(outcome.memory_id, ())) for outcome in written]

    async def rewrite_in(
        self,
        transaction: Transaction,
        user_id: UserId,
        memory_id: MemoryId,
        rewrite: Callable[[Memory], Rewritten],
        *,
        at: datetime,
    ) -> Memory:
        """`rewrite` within a transaction of the caller's."""
        found = await lock(transaction, user_id, [memory_id])
        if memory_id not in found:
            raise NotFoundError("memory", memory_id)
        before, after = found[memory_id], rewrite(found[memory_id])
        await transaction.run(
            "ledger/rewrite_memory",
            user_id=user_id,
            id=memory_id,
            properties=rewritten_properties(before, after, self._embedder, dates_by=self._dates_by),
            version={"id": after.version_id, "text": before.text, "until": at, "reason": after.reason},
            changes=[change_properties(change) for change in after.changes],
            at=at,
        )
        await rebuild_around(transaction, user_id, memory_id, at=at)
        return after.memory

    async def _retire(self, transaction: Transaction, new: NewMemory) -> tuple[Memory, ...]:
        if not new.successions:
            return ()
        return await retire(transaction, new.memory.user_id, new.successions, dates_by=self._dates_by)

    async def transformed_in(
        self,
        transaction: Transaction,
        user_id: UserId,
        ids: Sequence[MemoryId],
        transform: Callable[[Mapping[MemoryId, Memory]], Transformation],
        *,
        at: datetime,
    ) -> dict[MemoryId, Memory]:
        """Memories under their locks, and what belongs to the same event, as `transform` makes them."""
        before = await lock(transaction, user_id, ids)
        after = transform(before)
        rows = [self._transformed_row(before[each.memory.id], each) for each in after.memories]
        if rows:
            await transaction.run("uses/write_memories", user_id=user_id, rows=rows)
        if any("labile_until" in row["properties"] for row in rows):
            await transaction.run("uses/close_labile", user_id=user_id, at=at, most=self._labile_most)
        await change_links(transaction, user_id, after.links)
        for change in after.changes:
            await transaction.run("graph/add_change", user_id=user_id, change=change_properties(change))
        return before | {each.memory.id: each.memory for each in after.memories}

    def _transformed_row(self, before: Memory, after: Transformed) -> dict[str, Any]:
        return {
            "id": before.id,
            "properties": changed_properties(before, after.memory, dates_by=self._dates_by),
            "changes": [change_properties(change) for change in after.changes],
        }

    def _row(self, new: NewMemory) -> dict[str, Any]:
        properties = memory_properties(new, self._embedder, dates_by=self._dates_by)
        stamps: list[datetime] = properties.pop("access_stamps")
        dates = {name: value.isoformat() for name, value in properties.items() if isinstance(value, datetime)}
        return {
            "user_id": new.memory.user_id,
            "label": new.memory.kind.value.capitalize(),
            "time_zone": new.time_zone,
            "tier_profile": new.tier_profile,
            "properties": {name: value for name, value in properties.items() if name not in dates},
            "embedding": sent(new.embedding),
            "dates": dates,
            "stamps": [stamp.isoformat() for stamp in stamps],
            "change": {name: value for name, value in change_properties(new.change).items() if name != "at"},
        }


@dataclass(frozen=True, slots=True)
class _Erased:
    """What an erased memory named, and how many neighbours changed."""

    named_ids: tuple[str, ...]
    touched: int
    topics: tuple[str, ...]  # what it may have given to priority snapshots


def _told_of(memory: Memory, change: Change, place: int) -> Change:
    """The audit row of a memory that goes with the one that `change` tells of."""
    return replace(change, id=f"{change.id}.{place}", target_id=memory.id)


def _always(rewritten: Rewritten) -> Callable[[Memory], Rewritten]:
    return lambda standing: rewritten


def drawables(rows: Sequence[Mapping[str, Any]], *, without: str = "") -> list[Drawable]:
    """Memories with their vectors, as the query files give them; those without a vector are left out."""
    return [
        Drawable(memory_from(row["memory"]), np.asarray(row["embedding"], np.float32))
        for row in rows
        if row["memory"] is not None and row["embedding"] is not None and row["memory"]["id"] != without
    ]


def _born_at(new: NewMemory) -> datetime:
    return new.memory.interval.created_at


def _identities(new: NewMemory) -> frozenset[str]:
    owner = new.memory.user_id
    keys = {f"{owner}\x1fcurrent\x1f{new.memory.content_hash}"}
    if new.idempotency_key is not None:
        keys.add(f"{owner}\x1fidempotency\x1f{new.idempotency_key}")
    if new.memory.decision is not None:
        keys.add(f"{owner}\x1fhead\x1f{new.memory.decision.head_key}")
    keys.update(f"{owner}\x1fold\x1f{succession.old_id}" for succession in new.successions)
    return frozenset(keys)


def _stands(row: Mapping[str, Any]) -> bool:
    return row["replayed_id"] is not None or row["equal_id"] is not None


def _outcome(new: NewMemory, standing: Mapping[str, Any]) -> Written:
    own, replayed, equal = new.memory.id, standing["replayed_id"], standing["equal_id"]
    if own in (replayed, equal):  # an earlier try of this very write, whose answer was lost on the way
        return Written(WriteOperation.ADD, own)
    if replayed is not None:
        return Written(WriteOperation.ADD, MemoryId(replayed), replayed=True)
    if equal is not None:
        return Written(WriteOperation.NONE, MemoryId(equal))
    if standing["tombstone"] and new.memory.source is not Source.USER_STATED:
        return Written(WriteOperation.NONE, None, vetoed=True)
    return Written(WriteOperation.ADD, own)


def _by_owner(new: Sequence[NewMemory]) -> list[NewMemory]:
    """In one order for every writer, so that two groups lock their owners alike."""
    return sorted(new, key=lambda each: each.memory.user_id)


def _filter_params(wanted: MemoryFilter) -> dict[str, Any]:
    return {
        "created_from": wanted.created_from or _EARLIEST,
        "created_until": wanted.created_until or FAR_FUTURE,
        "kinds": values(wanted.kinds),
        "buckets": values(wanted.buckets),
        "lanes": values(wanted.lanes),
        "categories": values(wanted.categories),
        "states": values(wanted.states),
        "touched": _spans(wanted.touched),
        "tags": values(wanted.tags),
        "name_keys": values(wanted.name_keys),
        "text": wanted.text.lower() if wanted.text is not None else None,
        "session_id": wanted.session_id,
        "agent_id": wanted.agent_id,
        "external_id": wanted.external_id,
        "pinned": wanted.pinned,
        "hidden": wanted.hidden,
        "superseded": wanted.superseded,
        "labile": wanted.labile,
        "expired": wanted.expired,
        "valid_from": wanted.valid_from,
        "valid_until": wanted.valid_until,
        "known_at": wanted.known_at,
        "as_of": wanted.as_of,
    }


def _spans(spans: Sequence[tuple[datetime, datetime]] | None) -> list[dict[str, datetime]] | None:
    return None if spans is None else [{"after": after, "until": until} for after, until in spans]
