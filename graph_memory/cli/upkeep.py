"""The command that solves stored dates anew after settings have changed."""

from graph_memory.cli.console import answers, print_json
from graph_memory.cli.opening import opened, run
from graph_memory.cli.options import AsJson
from graph_memory.cli.progress import counting


def recompute(as_json: AsJson = False) -> None:
    """Solve the stored dates of all users' memories anew; needed once settings behind them have changed."""

    async def work() -> None:
        async with opened() as services:
            with counting("memories") as bar:
                task = bar.add_task("Recomputing", total=None)
                dated = await services.beats.recompute(
                    lambda done, total: bar.update(task, completed=done, total=total or None)
                )
            if as_json:
                print_json({"recomputed": dated})
            else:
                answers.print(f"Dates of {dated:,} {'memory' if dated == 1 else 'memories'} were solved anew.")

    run(work())
