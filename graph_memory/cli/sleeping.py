"""Commands on what the memory does while nobody asks: sleep, work, runs, priorities, notices."""

import asyncio
import signal
from datetime import datetime
from typing import Annotated

import typer

from graph_memory.bootstrap import Services, open_services
from graph_memory.cli.console import answers, note, print_json
from graph_memory.cli.documents import notice_document, run_document, snapshot_document
from graph_memory.cli.exits import EXIT_CODES, INTERNAL
from graph_memory.cli.nights import notice_lines, plan_table, run_lines, runs_table, snapshot_table
from graph_memory.cli.opening import opened, run, start_local, the_local_server
from graph_memory.cli.options import After, AsJson, First, User, instant
from graph_memory.cli.progress import FetchBar, step_by_step
from graph_memory.cli.shown import numbered
from graph_memory.client import checked_user_id
from graph_memory.domain.sleep import Beat, Run, RunStatus
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import ConflictError
from graph_memory.settings import Settings
from graph_memory.workers import all_work

_EXITS = {RunStatus.REFUSED: EXIT_CODES[ConflictError], RunStatus.FAILED: INTERNAL}


def sleep(
    beat: Annotated[
        Beat, typer.Option("--beat", "-b", case_sensitive=False, help="What to do: links, state labels, the cycle …")
    ] = Beat.CYCLE,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    at: Annotated[str | None, typer.Option(metavar="DATE", help="The instant to work for; default: now.")] = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Let one user's memory sleep now: promote, merge, distil, fade, look for patterns and contradictions."""
    when = instant("at", at)

    async def work(user_id: UserId) -> Run:
        async with opened() as services:
            return await _slept(services, user_id, beat, dry_run, when)

    report = run(work(checked_user_id(user)))
    if as_json:
        print_json(run_document(report))
    else:
        answers.print(run_lines(report))
        if report.dry_run:
            answers.print(plan_table(report.report))
    if report.status in _EXITS:
        raise typer.Exit(_EXITS[report.status])


async def _slept(services: Services, user_id: UserId, beat: Beat, dry_run: bool, at: datetime | None) -> Run:
    begun = last = await services.sleep(user_id, beat, dry_run=dry_run, at=at, wait=False)
    if begun.status is not RunStatus.RUNNING:
        return begun
    with step_by_step() as bar:
        task = bar.add_task("Dreaming" if dry_run else "Sleeping", total=1.0)
        async for last in services.sleep.follow(user_id, begun.id):
            bar.update(task, completed=last.progress)
    return last


def work() -> None:
    """Do for all users what waits for nobody, until interrupted: enrichment and the beats of sleep."""
    run(_worked(Settings.from_environment()))


async def _worked(settings: Settings) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stop.set)
    started = await start_local(settings)
    try:
        async with open_services(settings, progress=FetchBar(), notify=note) as services, all_work(services):
            note("Working. Ctrl-C stops it.")
            await stop.wait()
            note("Stopping; runs under way end at their next piece …")
    finally:
        if started:
            note("Stopping the local database …")
            await the_local_server(settings).stop()


def runs(first: First = None, after: After = None, user: User = "default", as_json: AsJson = False) -> None:
    """List what sleep did, the latest run first."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            page = await services.sleep.runs(user_id, first=first, after=after)
        if as_json:
            print_json({"runs": [run_document(each) for each in page.items], "next": page.next_cursor})
            return
        if page.items:
            answers.print(runs_table(page.items))
        else:
            note("It has not slept yet.")
        if page.next_cursor:
            note(f"Go on with --after {page.next_cursor}")

    run(work(checked_user_id(user)))


def priorities(first: First = None, after: After = None, user: User = "default", as_json: AsJson = False) -> None:
    """Show what mattered to a user, the latest snapshot first, and whether that changes."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            page = await services.priorities(user_id, first=first, after=after)
        if as_json:
            print_json({"priorities": [snapshot_document(each) for each in page.items], "next": page.next_cursor})
            return
        for snapshot in page.items:
            answers.print(snapshot_table(snapshot))
        if not page.items:
            note("No snapshot was taken yet; a cycle of sleep takes one a day.")
        if page.next_cursor:
            note(f"Go on with --after {page.next_cursor}")

    run(work(checked_user_id(user)))


def notices(user: User = "default", as_json: AsJson = False) -> None:
    """Show what a user should hear of unasked, the latest first."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            found = await services.notices(user_id)
            if as_json:
                now = services.clock.now()
                print_json([notice_document(each, services.settings, now) for each in found])
                return
        answers.print(numbered((str(number), notice_lines(each)) for number, each in enumerate(found, 1)))
        if not found:
            note("There is nothing to tell.")

    run(work(checked_user_id(user)))
