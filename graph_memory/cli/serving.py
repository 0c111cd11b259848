"""The command that serves GraphQL until it is interrupted."""

from typing import Annotated

import typer

from graph_memory.bootstrap import Services, open_services
from graph_memory.cli.console import answers, note
from graph_memory.cli.opening import run, start_local, the_local_server
from graph_memory.cli.progress import FetchBar
from graph_memory.cli.sample import DEMO_USER, load_sample_life
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from graph_memory.workers import background_work


def serve(
    host: Annotated[str | None, typer.Option(metavar="HOST", help="Where to listen; default: the setting.")] = None,
    port: Annotated[int | None, typer.Option(metavar="PORT", min=0, max=65535, help="Default: the setting.")] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Load the sample life first, for user demo.")] = False,
) -> None:
    """Serve GraphQL; a database that this starts is stopped with it."""
    settings = Settings.from_environment()
    run(_served(settings, host or settings.serve.host, settings.serve.port if port is None else port, demo))


async def _served(settings: Settings, host: str, port: int, demo: bool) -> None:
    started = await start_local(settings)
    try:
        async with open_services(settings, progress=FetchBar(), notify=note) as services, background_work(services):
            if demo:
                note(f"{await load_sample_life(services, UserId(DEMO_USER))} sample memories added.")
            await _serve(services, host, port)
    finally:
        if started:
            note("Stopping the local database …")
            await the_local_server(settings).stop()


async def _serve(services: Services, host: str, port: int) -> None:
    from api.server import serve as serve_graphql  # here, so that the other commands need not load it

    await serve_graphql(services, host, port, notify=lambda address: _show_addresses(services.settings, address))


def _show_addresses(settings: Settings, address: str) -> None:
    rows = {"GraphQL": address}
    if settings.serve.explorer:
        rows["Explorer"] = f"{address}  (the same address, in a browser)"
    if settings.neo4j.uri is None:
        browser = the_local_server(settings).connection().browser_url
        rows["Neo4j Browser"] = f"{browser}  (how to log in: graph-memory db browser)"
    for name, where in rows.items():
        answers.print(f"{name:<14} {where}", soft_wrap=True, style="bold", markup=False)
    note("Ctrl-C stops it.")
