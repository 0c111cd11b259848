"""The product as one system among its peers, behind the adapter that the shared bench asks of each.

Writes and recalls go through the product's own services, as any caller's would. The bench hands over the vector of
every memory and of every question, so embedding is never timed. What the product embeds by itself, the passages around
a memory, is done by its default embedder while it enriches, between the last write and the first question.
"""

import asyncio
import importlib.metadata
import threading
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

import numpy as np

from graph_memory.bootstrap import Services, embedder_of, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Embedder, Floats
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from tests.benchmarks.loading import enrich
from tests.benchmarks.prepared import PreparedEmbedder

T = TypeVar("T")


class Item(Protocol):
    """One memory as the bench hands it over; its id begins with "<user>|"."""

    id: str
    text: str
    vector: list[float]
    speaker: str
    when: datetime
    session: str


@dataclass(slots=True)
class Turn:
    """An item of our own making."""

    id: str
    text: str
    vector: list[float]
    speaker: str
    when: datetime
    session: str


class GivenVectors(PreparedEmbedder):
    """Answers every question with the vector that the bench gave for it, whatever the product cut from its words."""

    def __init__(self, inner: Embedder) -> None:
        super().__init__(inner)
        self.question: Floats = np.zeros(inner.dimensions, np.float32)

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        return np.tile(self.question, (len(texts), 1))


class LoopThread:
    """An event loop in a thread of its own: what an answer leaves behind is done while the next question is asked."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work gives, waited for."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """Ends the loop; nothing may be under way."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Ours:
    """The product, opened anew on each database that the bench has emptied."""

    name = "ours"
    modes: tuple[str, ...] = ("default",)
    no_ids: tuple[str, ...] = ()
    reinforce = True

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._users: set[str] = set()  # who has told something; nobody once closed
        self._told: dict[str, int] = {}  # how many turns of each session have come

    def version(self) -> str:
        """The product's version."""
        return importlib.metadata.version("graph-memory")

    def setup(self) -> None:
        """Migrates the empty database."""
        self._loop, self._opened = LoopThread(), AsyncExitStack()
        self._embedder, self._services = self._loop.run(self._open())

    def add_one(self, user: str, item: Item) -> None:
        """One memory, written and acknowledged."""
        draft = self._draft(user, item)
        self._embedder.prepare(_vectors([item]))
        self._loop.run(self._services.remember(UserId(user), draft))

    def add_many(self, user: str, items: Sequence[Item]) -> None:
        """Many memories, in calls as large as the product allows."""
        rows = self._settings.limits.rows
        for start in range(0, len(items), rows):
            some = items[start : start + rows]
            drafts = [self._draft(user, item) for item in some]
            self._embedder.prepare(_vectors(some))
            written = self._loop.run(self._services.remember.many(UserId(user), drafts))
            if written.failed:
                raise SystemExit(f"{len(written.failed)} memories were refused, first {written.failed[0]}")

    def settle(self) -> None:
        """Enriches all that was written: its links to whom and what it names."""
        if self._users:
            self._loop.run(enrich(self._services, [UserId(user) for user in self._users]))

    def prime(self) -> None:
        """Has the statement of recall planned, as a server does when it starts."""
        if self._users:
            self._loop.run(self._services.recall.prime())

    def recall(self, user: str, text: str, vector: Sequence[float], k: int, mode: str | None = None) -> list[str]:
        """The ids of the best memories."""
        self._embedder.question = np.asarray(vector, np.float32)
        question = Question(query=text, k=k, reinforce=self.reinforce)
        answer = self._loop.run(self._services.recall(UserId(user), question))
        return [hit.memory.external_id or "?|without an id" for hit in answer.hits]

    def isolation(self, data: Mapping[str, Sequence[Item]]) -> dict[str, object]:
        """What one user sees of another: nothing is expected."""
        ann, bob = list(data)[:2]
        told = data[bob][10]
        found = self.recall(ann, told.text, told.vector, 10)
        team = ["team", *(f"team-{number}" for number in range(30))]
        for user in team:
            plan = f"The Zanzibar trip plan of {user}"
            self.add_one(user, Turn(f"{user}|0", plan, told.vector, told.speaker, told.when, "chat-1"))
        self.settle()
        by_team = {user: self.recall(user, "Zanzibar trip plan", told.vector, 10) for user in team}
        alone = sum(ids == [f"{user}|0"] for user, ids in by_team.items())
        return {
            "recall by A asked with B's text: foreign of returned": f"{len(_foreign(ann, found))} of {len(found)}",
            "31 users whose names begin alike, one session name: each finds its own memory alone": f"{alone} of 31",
        }

    def close(self) -> None:
        """Waits for what the last answers left behind, and leaves."""
        self._loop.run(self._opened.aclose())
        self._loop.close()
        self._users.clear()

    async def _open(self) -> tuple[GivenVectors, Services]:
        embedder = GivenVectors(await embedder_of(self._settings))
        return embedder, await self._opened.enter_async_context(open_services(self._settings, embedder=embedder))

    def _draft(self, user: str, item: Item) -> MemoryDraft:
        """A turn as the product's own importer makes it: turns of one session follow each other by a second."""
        self._users.add(user)
        place = self._told[item.session] = self._told.get(item.session, -1) + 1
        return MemoryDraft(
            text=item.text,
            speaker=item.speaker,
            session_id=item.session,
            external_id=item.id,
            occurred_at=item.when + timedelta(seconds=place),
        )


class OursUnreinforced(Ours):
    """The same, where an answer does not count as a use of its memories."""

    name = "ours-unreinforced"
    reinforce = False


def _vectors(items: Sequence[Item]) -> dict[str, Floats]:
    return {item.text: np.asarray(item.vector, np.float32) for item in items}


def _foreign(user: str, ids: Sequence[str]) -> list[str]:
    return [each for each in ids if not each.startswith(f"{user}|")]
