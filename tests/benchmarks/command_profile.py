"""`profile`: what each operator of the recall statement reads, as a page of Markdown (docs/recall-profile.md)."""

import argparse
from collections.abc import Mapping
from typing import Any

from graph_memory.bootstrap import embedder_of, open_services
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.stores.recall import Neo4jRecallStore
from tests.benchmarks.corpora import locomo
from tests.benchmarks.crowd import store_users
from tests.benchmarks.filler import turns_of
from tests.benchmarks.loading import erase
from tests.benchmarks.prepared import PreparedEmbedder
from tests.benchmarks.tables import write_json
from tests.plans import operators, profiled

K = 10
WARM_UP = 3
_STATEMENT = "recall/recall"
_SHOWN = 150  # characters of what an operator does
# Those that do the work of an index, whether or not the server counts it as hits.
_LOOK_UPS = frozenset({"NodeVectorIndexSearch", "NodeIndexSeek", "ProcedureCall"})


async def run_profile(settings: Settings, arguments: argparse.Namespace) -> None:
    """Loads one user, asks until the plan is warm, prints."""
    embedder = PreparedEmbedder(await embedder_of(settings))
    async with open_services(settings, embedder=embedder) as services:
        corpora = locomo()
        turns = await turns_of(corpora, embedder)
        users = await store_users(services, embedder, turns, [arguments.size], reuse=arguments.reuse)
        user_id = users[arguments.size]
        question = Question(query=corpora[0].cases[0].question, k=K, reinforce=False)
        for _ in range(WARM_UP):
            await services.recall(user_id, question)
        query = await services.recall.analysed(user_id, question)
        params = Neo4jRecallStore(services.connection, settings).params(user_id, query, at=services.clock.now())
        plan = await profiled(settings, _STATEMENT, params)
        _print(plan, size=arguments.size)
        write_json(arguments.json, dict(plan))
        if not arguments.keep:
            await erase(services, [user_id])


def _print(plan: Mapping[str, Any], *, size: int) -> None:
    found = list(operators(plan))
    shown = [each for each in found if each.hits or each.name in _LOOK_UPS]
    scans = [each for each in found if "Scan" in each.name]
    print(f"# PROFILE of the recall statement at {size:,} memories\n")
    print(
        f"k = {K}, with its overlay, plan warm: {sum(each.hits for each in found):,} database hits in all, "
        f"{plan['args'].get('GlobalMemory', 0) / 1e6:.1f} MB of memory, {len(found)} operators, "
        f"{len(scans)} scans. The operators with hits, and the look-ups, from the answer down:\n"
    )
    print("| operator | rows | db hits | what it does |\n|---|---|---|---|")
    for each in shown:
        print(f"| {each.name} | {each.rows} | {each.hits} | `{_short(each.details)}` |")


def _short(details: str) -> str:
    told = " ".join(details.split()).replace("|", "\\|").replace("`", "'")
    return told if len(told) <= _SHOWN else f"{told[:_SHOWN]}…"
