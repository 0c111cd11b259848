"""All commands, joined."""

import importlib.metadata
import logging
import sys
from typing import Annotated

import typer

from graph_memory.cli import (
    costs,
    database,
    episodes,
    extraction,
    imports,
    ledger,
    memories,
    sample,
    serving,
    setup,
    sleeping,
    upkeep,
    using,
)
from graph_memory.cli.console import complain
from graph_memory.cli.exits import INTERNAL, Commands

_DISTRIBUTION = "graph-memory"

app = typer.Typer(
    name="graph-memory",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A memory for people and agents, kept as a graph in Neo4j.",
)

_START, _USE, _KEEP = "Begin", "Remember and recall", "Look after it"
_MIND, _LEDGER, _TALK = "Change your mind", "Decide, and ask why", "Talk"
_NIGHT = "Let it sleep"
app.command(rich_help_panel=_START)(setup.init)
app.command(rich_help_panel=_START)(sample.demo)
app.command(rich_help_panel=_START)(serving.serve)
app.command(rich_help_panel=_USE)(memories.remember)
app.command(rich_help_panel=_USE)(memories.recall)
app.command(rich_help_panel=_USE)(memories.show)
app.command("list", rich_help_panel=_USE)(memories.list_memories)
app.command(rich_help_panel=_USE)(using.context)
app.command(rich_help_panel=_USE)(using.feedback)
app.command(rich_help_panel=_USE)(using.touch)
app.command(rich_help_panel=_USE)(using.history)
app.command(rich_help_panel=_TALK)(episodes.say)
app.command("episodes", rich_help_panel=_TALK)(episodes.list_episodes)
app.command(rich_help_panel=_TALK)(episodes.episode)
app.command("end-episode", rich_help_panel=_TALK)(episodes.end_episode)
app.command("delete-episode", rich_help_panel=_TALK)(episodes.delete_episode)
app.command(rich_help_panel=_TALK)(episodes.relationship)
app.command(rich_help_panel=_MIND)(using.correct)
app.command(rich_help_panel=_MIND)(using.confirm)
app.command(rich_help_panel=_MIND)(using.doubt)
app.command(rich_help_panel=_MIND)(using.supersede)
app.command(rich_help_panel=_MIND)(using.pin)
app.command(rich_help_panel=_MIND)(using.unpin)
app.command(rich_help_panel=_MIND)(memories.forget)
app.command(rich_help_panel=_MIND)(memories.restore)
app.command(rich_help_panel=_MIND)(memories.erase)
app.command(rich_help_panel=_LEDGER)(ledger.decide)
app.command(rich_help_panel=_LEDGER)(ledger.outcome)
app.command(rich_help_panel=_LEDGER)(ledger.decisions)
app.command(rich_help_panel=_LEDGER)(ledger.why)
app.command(rich_help_panel=_LEDGER)(ledger.contradictions)
app.command(rich_help_panel=_NIGHT)(sleeping.sleep)
app.command(rich_help_panel=_NIGHT)(sleeping.runs)
app.command(rich_help_panel=_NIGHT)(sleeping.priorities)
app.command(rich_help_panel=_NIGHT)(sleeping.notices)
app.command(rich_help_panel=_NIGHT)(sleeping.work)
app.add_typer(imports.app, name="import", rich_help_panel=_KEEP)
app.command(rich_help_panel=_KEEP)(memories.stats)
app.command(rich_help_panel=_KEEP)(costs.usage)
app.command(rich_help_panel=_KEEP)(extraction.extract)
app.command(rich_help_panel=_KEEP)(upkeep.recompute)
app.command(rich_help_panel=_KEEP)(setup.config)
app.add_typer(database.app, name="db", rich_help_panel=_KEEP)


def _print_version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"graph-memory {_version()}\n")
        raise typer.Exit


@app.callback(help="A memory for people and agents, kept as a graph in Neo4j.")
def options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and end.")
    ] = False,
) -> None:
    """What holds for every command."""


def main() -> None:
    """The console script: no error ends in a traceback."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    try:
        app()
    except Exception as error:  # a fault of ours; the log keeps where it was for those who ask
        logging.getLogger(__name__).debug("internal error", exc_info=True)
        complain(f"internal error, please report it: {type(error).__name__}: {error}")
        sys.exit(INTERNAL)


def _version() -> str:
    try:
        return importlib.metadata.version(_DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return "unknown (not installed)"
