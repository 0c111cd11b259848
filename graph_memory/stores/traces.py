"""What an erased memory leaves in the bookkeeping of sleep, inside the transaction that erases it."""

from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.stores.connection import Transaction


async def topics_of(transaction: Transaction, user_id: UserId, memory_id: MemoryId) -> list[str]:
    """What a memory may have given to priority snapshots; to be asked before it goes."""
    rows = await transaction.run("priorities/find_topics_of_memory", user_id=user_id, id=memory_id)
    return list(rows[0]["topics"]) if rows else []


async def forget_plans(transaction: Transaction, user_id: UserId, memory_id: MemoryId) -> None:
    """Takes away the plans that speak of an erased memory."""
    await transaction.run("runs/forget_plans", user_id=user_id, id=memory_id)


async def forget_topics(transaction: Transaction, user_id: UserId, topics: list[str]) -> None:
    """Takes away the topics that nothing holds any more; to be asked once persons and entities are gone, too."""
    if topics:
        await transaction.run("priorities/forget_topics", user_id=user_id, topics=topics)
