"""Commands that set the product up: init, config."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from graph_memory.bootstrap import open_services
from graph_memory.cli.console import answers, note, print_json
from graph_memory.cli.documents import plain
from graph_memory.cli.opening import run, start_local
from graph_memory.cli.options import AsJson
from graph_memory.cli.progress import FetchBar
from graph_memory.settings import Settings

_HEAD = """\
# Settings of graph-memory. Every line holds the default; take away the # to change it.
# The environment goes before this file: GRAPH_MEMORY_RECALL__DEFAULT_K=20, and NEO4J_URI for the server.
"""


def init(as_json: AsJson = False) -> None:
    """Make everything ready: folder, settings, database, embedding model. Asked again, it changes nothing."""
    settings = Settings.from_environment()
    done = {"home": _make_home(settings.home), "settings file": _write_config(settings.home / "config.toml")}
    done |= run(_ready(settings))
    if as_json:
        print_json(plain(done))
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, what in done.items():
        table.add_row(f"[green]✓[/] {name}", Text(what))
    answers.print(table)
    note("Try it: graph-memory demo")


async def _ready(settings: Settings) -> dict[str, str]:
    started = await start_local(settings)
    async with open_services(settings, progress=FetchBar(), notify=note) as services:
        where = settings.neo4j.uri or "local"
        how = "started" if started else "was running"
        return {
            "model": f"{services.embedder.name}, {services.embedder.dimensions} dimensions",
            "database": f"Neo4j {services.connection.server_version}, {where}, {how}; its shape is up to date",
        }


def config(
    defaults: Annotated[bool, typer.Option("--defaults", help="Print a settings file with every default.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print every setting with its origin; secrets are hidden."""
    if defaults:
        settings = Settings()
        if as_json:
            print_json({name: plain(value) for name, value, _ in settings.listed()})
        else:
            answers.print(defaults_as_toml(), markup=False, soft_wrap=True, end="")
        return
    settings = Settings.from_environment()
    rows = [("home", str(settings.home), ""), ("cache", str(settings.cache), ""), *settings.listed()]
    if as_json:
        print_json([{"name": name, "value": plain(value), "origin": origin or None} for name, value, origin in rows])
    else:
        answers.print(_settings_table(rows))


def defaults_as_toml() -> str:
    """A settings file in which every default stands as a comment."""
    return _HEAD + "".join(_tables(Settings()))


def _tables(settings: Settings) -> Iterable[str]:
    group = ""
    for name, value, _ in settings.listed():
        table, _, key = name.partition(".")
        if table != group:
            group = table
            yield f"\n[{table}]\n"
        yield f"# {key} = {_as_toml(value)}\n"


def _as_toml(value: object) -> str:
    match value:
        case None:
            return '""  # not set'
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value, ensure_ascii=False)  # JSON's strings are TOML's basic strings
        case Mapping():
            return "{ " + ", ".join(f"{_key(key)} = {_as_toml(each)}" for key, each in value.items()) + " }"
    return str(value)


def _key(name: str) -> str:
    return name if name.replace("_", "").isalnum() and name.isascii() else json.dumps(name)


def _settings_table(rows: Iterable[tuple[str, object, str]]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("setting", style="bold", overflow="fold")
    table.add_column("value", overflow="fold")
    table.add_column("from", style="dim", overflow="fold")
    for name, value, origin in rows:
        table.add_row(name, Text(_shown(value)), Text(origin), style="" if origin in ("default", "") else "yellow")
    return table


def _shown(value: object) -> str:
    return "–" if value is None else _as_toml(value) if isinstance(value, Mapping | bool) else str(value)


def _make_home(home: Path) -> str:
    there = home.is_dir()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"{home} ({'was there' if there else 'made'})"


def _write_config(path: Path) -> str:
    if path.exists():
        return f"{path} (was there, left as it is)"
    path.touch(mode=0o600)  # a password may come to stand in it
    path.write_text(defaults_as_toml(), "utf-8")
    return f"{path} (written, with every default)"
