"""`sleep`: a cycle without a model over the development conversations: its cost, what it makes, and recall."""

import argparse

from graph_memory.bootstrap import open_services
from graph_memory.domain.vocabulary import Kind
from graph_memory.settings import Settings
from tests.benchmarks.corpora import locomo
from tests.benchmarks.loading import erase, store
from tests.benchmarks.sleep import answers, counted, embedding_seconds, lost, made, sleep, unreachable
from tests.benchmarks.tables import figures_table, show, write_json


async def run_sleep(settings: Settings, arguments: argparse.Namespace) -> None:
    """Loads, asks, sleeps twice, asks again, prints."""
    async with open_services(settings) as services:
        stored = await store(services, locomo(), reuse=False)
        embedding = await embedding_seconds(services, stored)
        before = await answers(services, stored)
        first = await sleep(services, stored)
        statements = await made(services, stored, Kind.SEMANTIC)
        schemas = await made(services, stored, Kind.SCHEMA)
        after = await answers(services, stored)
        second = await sleep(services, stored)
        cost = lost(before, after)
        recalled = [sum(each.recall() for each in found) / len(found) for found in (before, after)]
        result = {
            "turns": sum(len(each.corpus.drafts) for each in stored),
            "embedding_seconds": embedding,
            "cycle_seconds": first.seconds,
            "cycle_to_embedding": first.seconds / embedding,
            "second_cycle_seconds": second.seconds,
            "statements": statements,
            "schemas": schemas,
            "first": counted(first),
            "second": counted(second),
            "without_reachable_sources": await unreachable(services, stored),
            "recall_at_10_before": recalled[0],
            "recall_at_10_after": recalled[1],
            "lost": cost,
        }
        rows = [[name, f"{value:.4f}" if isinstance(value, float) else str(value)] for name, value in result.items()]
        show(figures_table("sleep without a model, LoCoMo development conversations", ("figure", "value"), rows))
        write_json(arguments.json, result)
        if not arguments.keep:
            await erase(services, [each.user_id for each in stored])
