"""`quality`: how much of what answers a question stands among the first 5, 10 and 20 memories."""

import argparse
import time
from typing import Any

from rich.table import Table

from graph_memory.bootstrap import Services, open_services
from graph_memory.settings import Settings
from tests.benchmarks import corpora
from tests.benchmarks.loading import Stored, erase, find_links, store
from tests.benchmarks.quality import answers, by_kind, costs, score
from tests.benchmarks.tables import cost_table, score_table, show, write_json
from tests.benchmarks.told_links import told_links
from tests.benchmarks.variants import Variant, variants

SETS = {"locomo": corpora.locomo, "hotpotqa": corpora.hotpotqa, "musique": corpora.musique}
MADE = {"told-links": told_links}  # asked for by name alone: it says what told links are worth, not how good recall is


async def run_quality(settings: Settings, arguments: argparse.Namespace) -> None:
    """Loads, asks, prints."""
    async with open_services(settings) as services:
        result: dict[str, Any] = {"embedder": services.embedder.name, "server": services.connection.server_version}
        for name in arguments.only or SETS:
            stored = await store(services, {**SETS, **MADE}[name](), reuse=arguments.reuse)
            if arguments.discover:
                started = time.perf_counter()
                made = await find_links(services, [each.user_id for each in stored])
                print(f"{name}: {made} links found in {time.perf_counter() - started:.1f} s")
            tried = variants(settings, () if arguments.no_ablations else arguments.switches)
            result[name] = await _measured(services, name, stored, tried)
            if not arguments.keep:
                await erase(services, [each.user_id for each in stored])
        write_json(arguments.json, result)


async def _measured(services: Services, name: str, stored: list[Stored], tried: list[Variant]) -> dict[str, Any]:
    as_it_is = await answers(services, stored, tried[0])
    kinds = {"all": score(as_it_is), **by_kind(as_it_is)}
    switches = {"all": kinds["all"]}
    tables: list[Table] = [score_table(f"{name}, {sum(len(s.corpus.drafts) for s in stored)} memories", "kind", kinds)]
    lost = {}
    for variant in tried[1:]:
        ranked = await answers(services, stored, variant)
        switches[variant.name], lost[variant.name] = score(ranked), costs(as_it_is, ranked)
    if lost:
        tables += [
            score_table(f"{name}, one switch at a time", "switch", switches),
            cost_table(f"{name}, what each switch costs", "switch", lost),
        ]
    show(*tables)
    return {"kinds": kinds, "switches": switches, "costs": lost}
