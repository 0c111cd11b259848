"""`year`: a simulated year of one person's life, played through the product with the clock advanced."""

import argparse
from pathlib import Path
from typing import Any
from uuid import uuid4

from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from tests.benchmarks.loading import erase
from tests.benchmarks.tables import figures_table, show, write_json
from tests.simulation.generate import QUARTER, YEAR, live
from tests.simulation.play import Pace
from tests.simulation.report import report
from tests.simulation.run import breaches, lived

_COLUMNS = (
    "questions",
    "true found",
    "true above all that is past",
    "past shown as a fact",
    "past shown as a chat turn",
)


async def run_year(settings: Settings, arguments: argparse.Namespace) -> None:
    """Lives, reports, draws; what it stored goes."""
    life, user_id = live(QUARTER if arguments.quarter else YEAR), UserId(f"year-{uuid4().hex[:12]}")
    async with lived(settings, life, user_id, pace=Pace(cycle_hours=arguments.cycle_hours)) as (told, services):
        broken = breaches(told)
        result = {
            "embedder": services.embedder.name,
            "server": services.connection.server_version,
            **report(life, told.played),
            "laws": {law: len(each) for law, each in broken.items()},
            "breaches": broken,
        }
        if not arguments.keep:
            await erase(services, [user_id])
    _print(result)
    write_json(arguments.json, result)
    if arguments.plots:
        _draw(result, arguments.plots)


def _draw(result: dict[str, Any], folder: Path) -> None:
    """Only a run that draws needs matplotlib."""
    from tests.simulation.plots import draw

    for path in draw(result, folder):
        print(path)


def _print(result: dict[str, Any]) -> None:
    last = result["snapshots"][-1]
    counted = {"memories": last["memories"], **last["states"], "hidden": last["hidden"], "links": last["links"]}
    show(
        figures_table("The life", ("what", "count"), [(name, str(each)) for name, each in result["life"].items()]),
        figures_table("At its end", ("what", "count"), [(name, str(each)) for name, each in counted.items()]),
        _answers(result, "asked in the day"),
        _answers(result, "asked by the observer"),
        figures_table("Calls", ("what", "count"), [(name, str(each)) for name, each in result["calls"].items()]),
        figures_table("Breaches", ("law", "count"), [(law, str(count)) for law, count in result["laws"].items()]),
    )
    for law, each in result["breaches"].items():
        for breach in each[:10]:
            print(f"{law}: {breach}")
    for each in result["not noticed"]:
        print(f"not noticed: {each}")
    for pair in result["pairs"]:
        print(pair)


def _answers(result: dict[str, Any], when: str) -> Any:
    rows = [(name, *(_cell(shares.get(column, "")) for column in _COLUMNS)) for name, shares in result[when].items()]
    return figures_table(f"Answers, {when}", ("topics", *_COLUMNS), rows)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['mean']:.3f} ({value['low']:.3f}–{value['high']:.3f})"
    return str(value)
