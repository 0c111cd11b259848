"""Commands on what language models cost: usage."""

from typing import Annotated

import typer
from rich.table import Table

from graph_memory.cli.console import answers, print_json
from graph_memory.cli.documents import plain
from graph_memory.cli.opening import opened, run
from graph_memory.cli.options import AsJson, User, instant
from graph_memory.client import checked_user_id
from graph_memory.domain.model_usage import UsageReport, Use
from graph_memory.domain.vocabulary import UserId


def usage(
    since: Annotated[str | None, typer.Option(metavar="DATE", help="From that day of UTC on; default: ever.")] = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Show what a user's questions to language models used; rules cost nothing."""
    begins = instant("since", since)

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            report = await services.usage(user_id, since=begins)
            if as_json:
                print_json(plain(report))
            else:
                answers.print(_table(report))

    run(work(checked_user_id(user)))


def _table(report: UsageReport) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("question", "calls", "failures", "tokens in", "of these cached", "tokens out", "dollars"):
        table.add_column(name, justify="left" if name == "question" else "right", header_style="dim")
    for question, use in report.by_question.items():
        table.add_row(question, *_cells(use))
    table.add_row("all", *_cells(report.total), style="bold")
    return table


def _cells(use: Use) -> list[str]:
    counts = (use.calls, use.failures, use.tokens.read, use.tokens.cache_read, use.tokens.output)
    return [*(f"{count:,}" for count in counts), f"{use.cost:.4f}"]
