"""Results as tables for people and as JSON for programs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.benchmarks.quality import Cost, Score

_SCORE_COLUMNS = ("questions", "r@5", "r@10", "95 %", "r@20", "hit@5", "MRR", "nDCG@10")


def score_table(title: str, first_column: str, rows: Mapping[str, Score]) -> Table:
    """One row a score."""
    table = _table(title, first_column, *_SCORE_COLUMNS)
    for name, score in rows.items():
        low, high = score.recall_at_10_interval
        means = (score.recall_at_20, score.hit_at_5, score.mrr, score.ndcg_at_10)
        table.add_row(
            name,
            str(score.questions),
            f"{score.recall_at_5:.3f}",
            f"{score.recall_at_10:.3f}",
            f"{low:.3f}–{high:.3f}",
            *(f"{value:.3f}" for value in means),
        )
    return table


def cost_table(title: str, first_column: str, rows: Mapping[str, Mapping[str, Cost]]) -> Table:
    """One row for each part left out: what that costs each measure, with its interval; worth more than noise or not."""
    measures = list(next(iter(rows.values())))
    table = _table(title, first_column, *measures, "pays")
    for name, costs in rows.items():
        cells = [f"{cost.mean:+.4f} ({cost.low:+.4f} to {cost.high:+.4f})" for cost in costs.values()]
        table.add_row(name, *cells, ", ".join(measure for measure, cost in costs.items() if cost.pays))
    return table


def figures_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Any figures, the first column naming the row."""
    table = _table(title, *columns)
    for row in rows:
        table.add_row(*row)
    return table


def write_json(path: Path | None, result: Mapping[str, Any]) -> None:
    """The result in a file, where one is wanted."""
    if path:
        path.write_text(json.dumps(result, indent=2, default=asdict) + "\n", encoding="utf-8")


def show(*tables: Table) -> None:
    """Prints tables."""
    console = Console(width=120)
    for table in tables:
        console.print(table)


def _table(title: str, first_column: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(first_column)
    for column in columns:
        table.add_column(column, justify="right")
    return table
