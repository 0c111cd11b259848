"""`throughput`: many callers of one user at once, against a bare driver running the same statement."""

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graph_memory.bootstrap import Services, embedder_of, open_services
from graph_memory.domain.vocabulary import UserId
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.stores.recall import Neo4jRecallStore
from tests.benchmarks.corpora import locomo
from tests.benchmarks.crowd import store_users
from tests.benchmarks.filler import turns_of
from tests.benchmarks.loading import erase
from tests.benchmarks.prepared import PreparedEmbedder
from tests.benchmarks.tables import figures_table, show, write_json
from tests.benchmarks.throughput import Ask, Load, Minute, Params, as_sent, bare_sessions, joined, load, reinforced

CALLERS = 16
MEMORIES = 10_000
K = 10
SEED = 20
_BARE, _STORE, _RECALL = "bare driver", "recall store", "recall"
_COLUMNS = ("", "answers/s", "÷ bare", "p50 ms", "p95 ms", "longest", "slowest caller's p95", "its answers ÷ mean")


async def run_throughput(settings: Settings, arguments: argparse.Namespace) -> None:
    """Loads, measures in turns, then with reinforcement; prints."""
    embedder = PreparedEmbedder(await embedder_of(settings))
    async with open_services(settings, embedder=embedder) as services, bare_sessions(settings, CALLERS) as bare:
        corpora = locomo()
        turns = await turns_of(corpora, embedder)
        users = await store_users(services, embedder, turns, [MEMORIES], reuse=arguments.reuse)
        asked = [case.question for corpus in corpora for case in corpus.cases]
        questions = random.Random(SEED).sample(asked, min(arguments.questions, len(asked)))
        bench = Bench(services, users[MEMORIES], bare)
        try:
            loads = {name: joined(each) for name, each in (await bench.rounds(questions, arguments.rounds)).items()}
            minute = await bench.reinforced(asked, seconds=arguments.seconds)
        finally:
            if not arguments.keep:
                await erase(services, users.values())
        _print(loads, minute)
        write_json(arguments.json, _figures(loads, minute))


class Bench:
    """One user whom many ask at once, through the product, through its store, and past both."""

    def __init__(self, services: Services, user_id: UserId, bare: Sequence[Ask[Params]]) -> None:
        self._services, self._user_id, self._bare = services, user_id, bare
        self._store = Neo4jRecallStore(services.connection, services.settings)

    async def rounds(self, questions: Sequence[str], count: int) -> dict[str, list[Load]]:
        """What → one load a round, in changing order; a first round warms up, embeds, and does not count."""
        asked = [Question(query=question, k=K, reinforce=False) for question in questions]
        analysed = [await self._services.recall.analysed(self._user_id, each) for each in asked]
        at = self._services.clock.now()
        params = [as_sent(self._store.params(self._user_id, query, at=at)) for query in analysed]
        works = {
            _BARE: lambda: load(self._bare, params),
            _STORE: lambda: load([lambda q: self._store.recall(self._user_id, q, at=at)] * CALLERS, analysed),
            _RECALL: lambda: load([self._recall] * CALLERS, asked),
        }
        taken: dict[str, list[Load]] = {name: [] for name in works}
        for number in range(count + 1):
            for name in list(works) if number % 2 else reversed(list(works)):
                got = await works[name]()
                await self._services.aftermath.settled()
                if number:
                    taken[name].append(got)
        return taken

    async def reinforced(self, questions: Sequence[str], *, seconds: float) -> Minute:
        """The same callers for a time, every hit counting as used."""
        asked = [Question(query=question, k=K) for question in questions]
        await load([self._recall] * CALLERS, [replace(each, reinforce=False) for each in asked])  # vectors and plans
        await self._services.aftermath.settled()
        return await reinforced(self._services, [self._recall] * CALLERS, asked, seconds=seconds)

    async def _recall(self, question: Question) -> object:
        return await self._services.recall(self._user_id, question)


def _print(loads: Mapping[str, Load], minute: Minute) -> None:
    bare = loads[_BARE].per_second
    named = {**loads, "recall, reinforced": minute.load}
    rows = [[name, *_cells(each, bare)] for name, each in named.items()]
    show(figures_table(f"{CALLERS} callers of one user with {MEMORIES:,} memories", _COLUMNS, rows))
    print("answers not followed up yet, each second:", *minute.waiting)
    print(f"at the last answer {minute.waiting_at_end}, none {minute.drained_after_seconds:.1f} s later")


def _cells(got: Load, bare: float) -> list[str]:
    return [
        f"{got.per_second:.1f}",
        f"{got.per_second / bare:.2f}",
        *(f"{got.percentile(share):.0f}" for share in (50, 95, 100)),
        f"{got.slowest_p95:.0f}",
        f"{got.fewest_share:.2f}",
    ]


def _figures(loads: Mapping[str, Load], minute: Minute) -> dict[str, Any]:
    bare = loads[_BARE].per_second
    return {
        **{name: _load_figures(each, bare) for name, each in loads.items()},
        "reinforced": {
            **_load_figures(minute.load, bare),
            "waiting": minute.waiting,
            "waiting_at_end": minute.waiting_at_end,
            "drained_after_seconds": minute.drained_after_seconds,
        },
    }


def _load_figures(got: Load, bare: float) -> dict[str, float]:
    return {
        "answers": got.answers,
        "per_second": got.per_second,
        "of_bare": got.per_second / bare,
        "p50": got.percentile(50),
        "p95": got.percentile(95),
        "longest": got.percentile(100),
        "slowest_p95": got.slowest_p95,
        "fewest_share": got.fewest_share,
    }
