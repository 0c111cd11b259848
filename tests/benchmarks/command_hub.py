"""`hub`: recall with a memory of very many links in the middle of the graph, and without it."""

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from graph_memory.bootstrap import Services, embedder_of, open_services
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import Found, RecallQuery
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.stores.recall import Neo4jRecallStore
from tests.benchmarks.corpora import locomo
from tests.benchmarks.crowd import store_users
from tests.benchmarks.filler import turns_of
from tests.benchmarks.hub import Hub
from tests.benchmarks.latency import Times
from tests.benchmarks.loading import erase
from tests.benchmarks.prepared import PreparedEmbedder
from tests.benchmarks.tables import figures_table, show, write_json

MEMORIES = 10_000
K = 10
SEED = 20
_COLUMNS = ("round", "without p50", "p95", "with p50", "p95", "p50 ratio", "p95 ratio")
_Round = tuple[Times, Times]  # without the hub, with it


async def run_hub(settings: Settings, arguments: argparse.Namespace) -> None:
    """Loads, times without and with the hub in turns, takes the hub away, prints."""
    embedder = PreparedEmbedder(await embedder_of(settings))
    async with open_services(settings, embedder=embedder) as services:
        corpora = locomo()
        turns = await turns_of(corpora, embedder)
        users = await store_users(services, embedder, turns, [MEMORIES], reuse=arguments.reuse)
        asked = [case.question for corpus in corpora for case in corpus.cases]
        questions = random.Random(SEED).sample(asked, arguments.questions)
        bench = await _Bench.of(services, users[MEMORIES], questions)
        try:
            rounds = [await bench.round(arguments.links) for _ in range(arguments.rounds)]
        finally:
            await bench.hub.unlink()
            if not arguments.keep:
                await erase(services, users.values())
        _print(bench, rounds)
        write_json(arguments.json, _figures(bench, rounds))


class _Bench:
    """The same questions of the same user, time and again."""

    def __init__(self, services: Services, user_id: UserId, queries: Sequence[RecallQuery], hub: Hub) -> None:
        self._services, self._user_id, self._queries, self.hub = services, user_id, queries, hub
        self._store = Neo4jRecallStore(services.connection, services.settings)
        self.links, self.touched = 0, 0.0  # of the hub; share of the answers that hold it

    @classmethod
    async def of(cls, services: Services, user_id: UserId, questions: Sequence[str]) -> "_Bench":
        """The hub is the memory that most answers hold."""
        asked = [Question(query=question, k=K) for question in questions]
        queries = [await services.recall.analysed(user_id, each) for each in asked]
        store, hits = Neo4jRecallStore(services.connection, services.settings), Counter[MemoryId]()
        for query in queries:
            found = await store.recall(user_id, query, at=services.clock.now())
            hits.update(hit.memory.id for hit in found.hits)
        [(hub_id, _)] = hits.most_common(1)
        return cls(services, user_id, queries, Hub(services, user_id, hub_id))

    async def round(self, links: int) -> _Round:
        """The times without the hub, then with it; it is taken away again."""
        without, _ = await self._timed()
        self.links = await self.hub.link(links)
        with_it, found = await self._timed()
        held = [any(hit.memory.id == self.hub.memory_id for hit in each.hits) for each in found]
        self.touched = sum(held) / len(held)
        await self.hub.unlink()
        return without, with_it

    async def _timed(self) -> tuple[Times, list[Found]]:
        """Of each question asked again: the first time plans are made, a plan for each size of parameters."""
        for query in self._queries:
            await self._asked(query)
        milliseconds, found = [], []
        for query in self._queries:
            start = time.perf_counter()
            found.append(await self._asked(query))
            milliseconds.append((time.perf_counter() - start) * 1_000)
        return Times(tuple(milliseconds)), found

    async def _asked(self, query: RecallQuery) -> Found:
        return await self._store.recall(self._user_id, query, at=self._services.clock.now())


def _ratio(pair: _Round, share: int) -> float:
    return pair[1].percentile(share) / pair[0].percentile(share)


def _pooled(rounds: Sequence[_Round]) -> _Round:
    without, with_it = zip(*rounds, strict=True)
    return (
        Times(tuple(each for times in without for each in times.milliseconds)),
        Times(tuple(each for times in with_it for each in times.milliseconds)),
    )


def _print(bench: _Bench, rounds: Sequence[_Round]) -> None:
    named = {**{str(number): pair for number, pair in enumerate(rounds, start=1)}, "all": _pooled(rounds)}
    rows = [
        [
            name,
            *(f"{times.percentile(share):.1f}" for times in pair for share in (50, 95)),
            *(f"{_ratio(pair, share):.2f}" for share in (50, 95)),
        ]
        for name, pair in named.items()
    ]
    title = f"latency in milliseconds, {MEMORIES:,} memories, a hub of {bench.links:,} links"
    show(figures_table(title, _COLUMNS, rows))
    print(f"median of the p95 ratios {statistics.median(_ratio(pair, 95) for pair in rounds):.2f};", end=" ")
    print(f"the hub stands in {bench.touched:.0%} of the answers")


def _figures(bench: _Bench, rounds: Sequence[_Round]) -> dict[str, Any]:
    return {
        "links": bench.links,
        "touched": bench.touched,
        "rounds": [
            {
                name: {"p50": times.percentile(50), "p95": times.percentile(95)}
                for name, times in zip(("without", "with"), pair, strict=True)
            }
            for pair in rounds
        ],
        "p95_ratio": _ratio(_pooled(rounds), 95),
    }
