"""The command that draws lasting things from what was said, and shows what waits for it."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from graph_memory.cli.console import answers, note, print_json
from graph_memory.cli.opening import opened, run
from graph_memory.cli.options import AsJson, User
from graph_memory.client import checked_user_id
from graph_memory.domain.memory import Json
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import WaitingTurn
from graph_memory.services.extract import Extracted


def extract(
    parked: Annotated[bool, typer.Option("--parked", help="Try again what was given up after some tries.")] = False,
    list_only: Annotated[bool, typer.Option("--list", help="Only list the turns that wait.")] = False,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Draw facts, habits, decisions and people from what was said, now; else it follows in the background."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            done = None if list_only else await services.extract.of_user(user_id, parked_too=parked)
            waiting = await services.extract.waiting(user_id)
        if as_json:
            print_json({**(_counts(done) if done else {}), "waiting": [_document(turn) for turn in waiting]})
            return
        if done:
            answers.print(", ".join(f"{name} {count:,}" for name, count in _counts(done).items()))
            for each in done.notes:
                note(each)
        if waiting:
            answers.print(_table(waiting))
        elif list_only:
            answers.print("No turn waits.")

    run(work(checked_user_id(user)))


def _counts(done: Extracted) -> dict[str, int]:
    names = ("turns", "facts", "observations", "decisions", "persons", "contradictions", "dropped", "failed", "parked")
    return {name: getattr(done, name) for name in names}


def _document(turn: WaitingTurn) -> dict[str, Json]:
    return {
        "id": turn.id,
        "episode": turn.episode_id,
        "attempts": turn.attempts,
        "problem": turn.problem,
        "due_at": turn.due_at.isoformat() if turn.due_at else None,
    }


def _table(waiting: list[WaitingTurn]) -> Table:
    table = Table("turn", "episode", "tries", "next try", "problem", box=None, pad_edge=False)
    for turn in waiting:
        due = turn.due_at.isoformat(timespec="seconds") if turn.due_at else "parked"
        table.add_row(turn.id, turn.episode_id, str(turn.attempts), due, Text(turn.problem or ""))
    return table
