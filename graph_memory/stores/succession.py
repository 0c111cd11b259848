"""How one memory takes the place of another, within one transaction."""

from collections.abc import Sequence
from datetime import datetime

from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.errors import ConflictError
from graph_memory.ports import Succession
from graph_memory.stores.connection import Transaction
from graph_memory.stores.rows import change_properties, memory_from, retired_properties


async def lock(transaction: Transaction, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, Memory]:
    """The memories found, as they are, locked until the transaction ends."""
    if not ids:
        return {}
    rows = await transaction.run("uses/lock_memories", user_id=user_id, ids=sorted(set(ids)))
    return {memory.id: memory for memory in (memory_from(row["memory"]) for row in rows)}


async def retire(
    transaction: Transaction, user_id: UserId, successions: Sequence[Succession], *, dates_by: str
) -> tuple[Memory, ...]:
    """Ends the old memories; as they then are. Raises ConflictError when one is gone or no longer current."""
    found = await lock(transaction, user_id, [succession.old_id for succession in successions])
    retired, rows = [], []
    for succession in successions:
        if (before := found.get(succession.old_id)) is None:
            raise ConflictError(f"memory {succession.old_id} is gone")
        after = succession.retire(before)
        retired.append(after.memory)
        rows.append(
            {
                "id": before.id,
                "properties": retired_properties(before, after.memory, dates_by=dates_by),
                "changes": [change_properties(change) for change in after.changes],
            }
        )
    await transaction.run("ledger/retire_memories", user_id=user_id, rows=rows)
    return tuple(retired)


async def join_successors(
    transaction: Transaction, user_id: UserId, new_id: MemoryId, successions: Sequence[Succession], *, at: datetime
) -> None:
    """Leads from the old memories to the new one."""
    if successions:
        rows = [
            {"old_id": each.old_id, "new_id": new_id, "reason": each.reason, "contradicts": each.contradicts}
            for each in successions
        ]
        await transaction.run("ledger/join_successors", user_id=user_id, rows=rows, at=at, open_end=FAR_FUTURE)


async def stand_against(
    transaction: Transaction, user_id: UserId, new_id: MemoryId, old_ids: Sequence[MemoryId], *, at: datetime
) -> None:
    """Notes that a memory contradicts others, none of which gives way: the user is asked."""
    for old_id in old_ids:
        await transaction.run("ledger/note_contradiction", user_id=user_id, new_id=new_id, old_id=old_id, at=at)
