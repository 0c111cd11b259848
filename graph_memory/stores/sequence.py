"""The NEXT chain of a session, and the context texts that follow from it, kept right within one transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.stores.connection import Transaction


async def join_sessions(
    transaction: Transaction,
    members: Sequence[tuple[UserId, str]],
    *,
    at: datetime,
    beside: Sequence[dict[str, Any]] = (),
) -> None:
    """Puts memories into their sessions and rebuilds every context that this touches."""
    rows = [{"user_id": user_id, "id": memory_id} for user_id, memory_id in members]
    found = await transaction.run("memories/join_sequence", rows=rows, at=at) if rows else []
    contexts: dict[str, dict[str, Any]] = {row["id"]: row for row in beside}
    for row in found[0]["joined"] if found else ():
        owner, previous, following = row["user_id"], row["previous_id"], row["next_id"]
        if previous is not None:
            contexts.setdefault(previous, {"user_id": owner, "id": previous, "vector_stale": False})
        for stale in (row["id"], following):
            if stale is not None:
                contexts[stale] = {"user_id": owner, "id": stale, "vector_stale": True}
    await _rebuild_contexts(transaction, list(contexts.values()), at=at)


async def prime_sessions(transaction: Transaction, *, at: datetime) -> None:
    """Has the statements of `join_sessions` planned."""
    for name in ("memories/join_sequence", "memories/rebuild_contexts"):
        await transaction.run(name, rows=[], at=at)


async def leave_sequence(
    transaction: Transaction, user_id: UserId, memory_id: MemoryId, *, at: datetime
) -> list[dict[str, Any]]:
    """Takes a memory out of its chain; the rows of the neighbours whose contexts are then to be rebuilt."""
    left = await transaction.run("memories/leave_sequence", user_id=user_id, ids=[memory_id], at=at)
    return _neighbours_of(user_id, left)


async def leave_session(transaction: Transaction, user_id: UserId, memory_id: MemoryId, *, at: datetime) -> int:
    """Takes a memory out of its session and rebuilds its neighbours' contexts; how many it had."""
    contexts = await leave_sequence(transaction, user_id, memory_id, at=at)
    await _rebuild_contexts(transaction, contexts, at=at)
    return len(contexts)


async def _rebuild_contexts(transaction: Transaction, rows: Sequence[dict[str, Any]], *, at: datetime) -> None:
    if rows:
        await transaction.run("memories/rebuild_contexts", rows=list(rows), at=at)


def _neighbours_of(user_id: UserId, left: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Whose contexts change where memories left: those before and behind, the latter with their vectors."""
    neighbours = []
    for row in left:
        if row["previous_id"] is not None:
            neighbours.append({"user_id": user_id, "id": row["previous_id"], "vector_stale": False})
        if row["next_id"] is not None:
            neighbours.append({"user_id": user_id, "id": row["next_id"], "vector_stale": True})
    return neighbours


async def rebuild_around(transaction: Transaction, user_id: UserId, memory_id: MemoryId, *, at: datetime) -> None:
    """Rebuilds the contexts that speak of a memory whose text changed: its own and its neighbours'."""
    rows = await transaction.run("memories/find_neighbours", user_id=user_id, id=memory_id)
    changed = {"user_id": user_id, "id": memory_id, "vector_stale": True}
    await _rebuild_contexts(transaction, [changed, *_neighbours_of(user_id, rows)], at=at)
