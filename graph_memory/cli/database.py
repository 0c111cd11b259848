"""Commands on the local database server."""

import sys
import webbrowser
from os import environ
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from graph_memory.cli.console import answers, note, print_json
from graph_memory.cli.exits import Commands
from graph_memory.cli.opening import run, start_local, the_local_server
from graph_memory.cli.options import AsJson
from graph_memory.domain.memory import Json
from graph_memory.embedded.report import ServerReport, ServerStatus
from graph_memory.embedded.server import EmbeddedServer
from graph_memory.settings import Settings

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Run the local Neo4j server and look into it.")

Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")]


@app.command()
def start(as_json: AsJson = False) -> None:
    """Start the server; it stays up until `stop`."""
    server = _server()
    note("Starting the local database …")
    started = run(server.start())
    report = run(server.status())
    if as_json:
        print_json({"started": started, **_document(report)})
    else:
        answers.print("[green]Started.[/]" if started else "It was running.")
        answers.print(_table(report))


@app.command()
def stop(as_json: AsJson = False) -> None:
    """Stop the server."""
    stopped = run(_server().stop())
    if as_json:
        print_json({"stopped": stopped})
    else:
        answers.print("[green]Stopped.[/]" if stopped else "It was not running.")


@app.command()
def status(as_json: AsJson = False) -> None:
    """Say whether the server runs, and where."""
    report = run(_server().status())
    if as_json:
        print_json(_document(report))
    else:
        answers.print(_table(report))


@app.command()
def logs(
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, metavar="N", help="How many lines.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Print the last lines that the server printed."""
    printed = _server().logs(lines)
    if as_json:
        print_json({"lines": list(printed)})
        return
    for line in printed:
        answers.print(line, markup=False, soft_wrap=True)
    if not printed:
        note("The server has printed nothing yet.")


@app.command()
def browser(
    show_password: Annotated[bool, typer.Option("--show-password", help="Print the password too.")] = False,
    open_it: Annotated[bool, typer.Option("--open/--no-open", help="Open it on a desktop.")] = True,
    as_json: AsJson = False,
) -> None:
    """Say how to open the graph in Neo4j Browser, and open it on a desktop."""
    settings = Settings.from_environment()
    server = _server(settings)
    run(start_local(settings) if settings.neo4j.uri is None else server.start())
    at = server.connection()
    password = at.password if show_password else None
    if as_json:
        print_json({"url": at.browser_url, "connect_url": at.uri, "username": at.username, "password": password})
        return
    table = _two_columns()
    table.add_row("Neo4j Browser", Text(at.browser_url, style="bold"))
    table.add_row("connect to", Text(at.uri))
    table.add_row("user name", Text(at.username))
    table.add_row("password", Text(password or "graph-memory db browser --show-password"))
    answers.print(table)
    if open_it and _is_desktop():
        webbrowser.open(at.browser_url)


@app.command()
def dump(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the dump goes.")],
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write the whole database to a file; a running server pauses for it."""
    run(_server().dump(file, overwrite=overwrite))
    size = file.stat().st_size
    if as_json:
        print_json({"file": str(file), "bytes": size})
    else:
        answers.print(f"[green]Dumped[/] to {file}, {size:,} bytes.", soft_wrap=True)


@app.command()
def load(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A dump.")],
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Replace the whole database by a dump; a running server pauses for it."""
    run(_server().load(file, overwrite=overwrite))
    if as_json:
        print_json({"file": str(file)})
    else:
        answers.print(f"[green]Loaded[/] {file}.", soft_wrap=True)


def _server(settings: Settings | None = None) -> EmbeddedServer:
    settings = settings or Settings.from_environment()
    if settings.neo4j.uri is not None:
        note(f"This is about the local server; the other commands use {settings.neo4j.uri}, since NEO4J_URI is set.")
    return the_local_server(settings)


def _table(report: ServerReport) -> Table:
    table = _two_columns()
    colour = {ServerStatus.RUNNING: "green", ServerStatus.STARTING: "yellow", ServerStatus.FOREIGN: "yellow"}
    table.add_row("status", Text(report.status, style=colour.get(report.status, "")))
    if report.status is ServerStatus.FOREIGN:
        table.add_row("", Text(f"port {report.bolt_port} answers for another program; ours will take a free one"))
    table.add_row("version", Text(report.version or "–"))
    table.add_row("bolt", Text(f"bolt://127.0.0.1:{report.bolt_port}"))
    table.add_row("http", Text(f"http://127.0.0.1:{report.http_port}"))
    table.add_row("home", Text(str(report.home)))
    table.add_row("pid", Text(str(report.pid or "–")))
    return table


def _two_columns() -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _document(report: ServerReport) -> dict[str, Json]:
    return {
        "status": report.status.value,
        "home": str(report.home),
        "bolt_port": report.bolt_port,
        "http_port": report.http_port,
        "pid": report.pid,
        "version": report.version,
    }


def _is_desktop() -> bool:
    """Whether there is a screen on which a browser could open."""
    return sys.platform in ("darwin", "win32") or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
