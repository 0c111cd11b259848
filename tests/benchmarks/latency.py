"""How long recall takes against its own look-ups, which are the least that it can take."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph_memory.bootstrap import Services
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import RecallQuery
from graph_memory.services.recall import Question
from graph_memory.stores.recall import Neo4jRecallStore

_EMPTY = "RETURN 1"
_Work = Callable[[UserId, RecallQuery], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of one kind of work at one size."""

    milliseconds: tuple[float, ...]

    def percentile(self, share: int) -> float:
        return float(np.percentile(self.milliseconds, share))


class Stopwatch:
    """Takes the times of a recall, of its look-ups and of an empty statement, in turns."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._store = Neo4jRecallStore(services.connection, services.settings)
        self._works: dict[str, _Work] = {"recall": self._recall, "look-ups": self._look_ups, "empty": self._empty}

    async def times(
        self, users: Mapping[str, Sequence[UserId]], questions: Sequence[str], *, k: int, warm_up: int
    ) -> dict[str, dict[str, Times]]:
        """Row → work → times; each question meets a user of every row and every work before the next one comes.

        The first `warm_up` questions are asked and not counted: plans and caches are cold then.
        """
        taken: dict[str, dict[str, list[float]]] = {row: {name: [] for name in self._works} for row in users}
        for number, question in enumerate(questions):
            for row, owners in users.items():
                user_id = owners[number % len(owners)]
                query = await self._services.recall.analysed(user_id, Question(query=question, k=k))
                for name, milliseconds in (await self._in_turns(number, user_id, query)).items():
                    if number >= warm_up:
                        taken[row][name].append(milliseconds)
        return {row: {name: Times(tuple(each)) for name, each in works.items()} for row, works in taken.items()}

    async def _in_turns(self, number: int, user_id: UserId, query: RecallQuery) -> dict[str, float]:
        """Each work once; which comes first changes, for the second finds pages warm."""
        names = list(self._works)
        taken = {}
        for name in names if number % 2 else reversed(names):
            start = time.perf_counter()
            await self._works[name](user_id, query)
            taken[name] = (time.perf_counter() - start) * 1_000
        return taken

    async def _recall(self, user_id: UserId, query: RecallQuery) -> object:
        return await self._store.recall(user_id, query, at=self._services.clock.now())

    async def _look_ups(self, user_id: UserId, query: RecallQuery) -> object:
        params = self._store.look_up_params(user_id, query, at=self._services.clock.now())
        return await self._services.connection.run("recall/count_look_ups", **params)

    async def _empty(self, user_id: UserId, query: RecallQuery) -> object:
        return await self._services.connection.run_text(_EMPTY)
