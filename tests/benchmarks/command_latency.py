"""`latency`: recall against its look-ups alone, at several sizes of one user's memory, all in one graph."""

import argparse
import random
from collections.abc import Mapping
from typing import Any

from graph_memory.bootstrap import embedder_of, open_services
from graph_memory.settings import Settings
from tests.benchmarks.corpora import locomo
from tests.benchmarks.crowd import store_equals, store_users
from tests.benchmarks.filler import turns_of
from tests.benchmarks.latency import Stopwatch, Times
from tests.benchmarks.loading import erase
from tests.benchmarks.prepared import PreparedEmbedder
from tests.benchmarks.tables import figures_table, show, write_json

K = 10
WARM_UP = 30
SEED = 20
EACH = 1_000  # memories of each user of the crowd
_Taken = Mapping[str, Mapping[str, Times]]
_COLUMNS = ("memories", "recall p50", "p95", "look-ups p50", "p95", "empty p50", "p50 ratio", "p95 ratio")


async def run_latency(settings: Settings, arguments: argparse.Namespace) -> None:
    """Loads, times, prints."""
    embedder = PreparedEmbedder(await embedder_of(settings))
    async with open_services(settings, embedder=embedder) as services:
        corpora = locomo()
        turns = await turns_of(corpora, embedder)
        users = await store_users(services, embedder, turns, arguments.sizes, reuse=arguments.reuse)
        rows = {f"{size:,}": [user_id] for size, user_id in users.items()}
        if count := arguments.crowd:
            equals = await store_equals(services, embedder, turns, count, size=EACH, reuse=arguments.reuse)
            rows[f"{count:,} × {EACH:,}"] = equals
        asked = [case.question for corpus in corpora for case in corpus.cases]
        questions = random.Random(SEED).sample(asked, WARM_UP + arguments.questions)
        taken = await Stopwatch(services).times(rows, questions, k=K, warm_up=WARM_UP)
        _print(taken)
        write_json(arguments.json, _figures(taken))
        if not arguments.keep:
            await erase(services, [user_id for owners in rows.values() for user_id in owners])


def _print(taken: _Taken) -> None:
    show(figures_table("latency in milliseconds", _COLUMNS, [[row, *_cells(works)] for row, works in taken.items()]))
    first, *others = taken
    for row in others:
        growth = taken[row]["recall"].percentile(50) / taken[first]["recall"].percentile(50)
        print(f"recall p50 at {row} memories ÷ at {first}: {growth:.2f}")


def _cells(works: Mapping[str, Times]) -> list[str]:
    recall, look_ups, empty = works["recall"], works["look-ups"], works["empty"]
    milliseconds = [each.percentile(share) for each in (recall, look_ups) for share in (50, 95)]
    ratios = [recall.percentile(share) / look_ups.percentile(share) for share in (50, 95)]
    return [f"{each:.1f}" for each in (*milliseconds, empty.percentile(50))] + [f"{each:.2f}" for each in ratios]


def _figures(taken: _Taken) -> dict[str, Any]:
    return {
        row: {name: {"p50": times.percentile(50), "p95": times.percentile(95)} for name, times in works.items()}
        for row, works in taken.items()
    }
