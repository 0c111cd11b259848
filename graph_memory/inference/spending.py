"""Spending: calls of a language model are held to a day's budget, and booked in the ledger.

What was spent is read from the ledger, so that a restart forgets nothing and other processes count too; what is under
way in this process is added to it. Processes that ask at the same instant may together pass the budget by one call
each.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date

from graph_memory.domain.asked import Question
from graph_memory.domain.model_usage import BookedUse, DayBudget, Use
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InferenceError, ModelUnavailableError, StoreError
from graph_memory.ports import Clock, ModelLedger

_log = logging.getLogger(__name__)


class Spending:
    """Lets calls through while there is budget for them, and books what they used."""

    def __init__(self, *, ledger: ModelLedger, budget: DayBudget, clock: Clock) -> None:
        self._ledger, self._budget, self._clock = ledger, budget, clock
        self._deciding, self._writing = asyncio.Lock(), asyncio.Lock()
        self._under_way: list[tuple[UserId, Use]] = []
        self._unbooked: list[BookedUse] = []

    @asynccontextmanager
    async def room_for(self, user_id: UserId, most: Use) -> AsyncIterator[None]:
        """Holds budget for one call that uses `most` at most, while the block runs.

        Raises: ModelUnavailableError where there is none left; InferenceError where the ledger cannot be read.
        """
        async with self._deciding:
            await self._check(user_id, most)
            self._under_way.append((user_id, most))
        try:
            yield
        finally:
            self._under_way.remove((user_id, most))

    async def book(self, user_id: UserId, question: Question, model: str, use: Use) -> None:
        """Writes a use down, even for a caller who is cancelled; what the ledger does not take is kept for the next."""
        booked = BookedUse(user_id=user_id, day=self._today(), question=question, model=model, use=use)
        self._unbooked.append(booked)
        try:
            await asyncio.shield(asyncio.ensure_future(self._write_down()))
        except StoreError as error:
            _log.warning("a use of %s is booked later: %s", model, error)

    async def _check(self, user_id: UserId, most: Use) -> None:
        today = self._today()
        try:
            await self._write_down()
            everyone = await self._ledger.used_by_all(today)
            user = (await self._ledger.report(user_id, since=today)).total
        except StoreError as error:
            raise InferenceError(f"the ledger of model calls cannot be read: {error}", retryable=True) from error
        refusal = self._budget.refusal(
            everyone=Use.sum((everyone, *(use for _, use in self._under_way))),
            user=Use.sum((user, *(use for each, use in self._under_way if each == user_id))),
            next_cost=most.cost,
        )
        if refusal:
            raise ModelUnavailableError(refusal)

    async def _write_down(self) -> None:
        async with self._writing:
            while self._unbooked:
                await self._ledger.book(self._unbooked[0])
                self._unbooked.pop(0)

    def _today(self) -> date:
        return self._clock.now().date()
