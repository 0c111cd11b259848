"""What changes one user's data as a whole comes one after the other: each transaction begins by locking the user.

Within one process the changes wait for their turn before they take a connection, so that a crowd cannot take them all.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar
from weakref import WeakValueDictionary

from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import UserSettings
from graph_memory.stores.connection import Connection, Transaction

T = TypeVar("T")


class OwnerTurns:
    """Runs transactions of one user one after the other."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._turns: WeakValueDictionary[UserId, asyncio.Lock] = WeakValueDictionary()

    async def transaction(self, user_id: UserId, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """What `work` gives, once its turn has come; it may be called again after a deadlock."""
        turn = self._turns.setdefault(user_id, asyncio.Lock())
        async with turn:
            return await self._connection.transaction(work)


async def lock_owner(transaction: Transaction, user_id: UserId, user: UserSettings, *, at: datetime) -> str:
    """Locks a user until the transaction ends, made with these settings if nothing is stored yet; their time zone."""
    [row] = await transaction.run(
        "owners/lock_owner", user_id=user_id, time_zone=user.time_zone, tier_profile=user.tier_profile, at=at
    )
    return str(row["time_zone"])
