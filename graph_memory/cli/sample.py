"""The demonstration: loads the sample life and asks it five questions."""

import typer
from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from graph_memory.bootstrap import Services
from graph_memory.cli.console import answers, note, print_json
from graph_memory.cli.documents import answer_document
from graph_memory.cli.imports import drain
from graph_memory.cli.opening import opened, run
from graph_memory.cli.options import AsJson
from graph_memory.cli.shown import memory_lines
from graph_memory.client import checked_user_id
from graph_memory.domain.vocabulary import UserId
from graph_memory.importers.sample_life import sample_life
from graph_memory.services.reasons import reason
from graph_memory.services.recall import Answer, Question

DEMO_USER = "demo"
_HITS_SHOWN = 3
_GO_ON = (
    ('graph-memory recall --user {user} --why "What does Solveig build?"', "ask more"),
    ("graph-memory list --user {user} --person Amadou", "look around"),
    ("graph-memory serve", "GraphQL with an explorer page"),
    ("graph-memory db browser", "see the graph in Neo4j Browser"),
)


def demo(
    user: str = typer.Option(DEMO_USER, "--user", "-u", metavar="ID", help="Whose memory it becomes."),
    as_json: AsJson = False,
) -> None:
    """Load a made-up life of some sixty memories and ask it five questions."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            added = await load_sample_life(services, user_id)
            note(f"The life of Tilda, an instrument maker: {added} memories added for user {user_id}.")
            asked = [
                (query, await services.recall(user_id, Question(query=query, k=_HITS_SHOWN)))
                for query in sample_life().questions
            ]
            if as_json:
                now, settings = services.clock.now(), services.settings
                documents = [answer_document(query, answer, settings, now) for query, answer in asked]
                print_json({"added": added, "answers": list(documents)})
            else:
                _show(user_id, asked)

    run(work(checked_user_id(user)))


async def load_sample_life(services: Services, user_id: UserId) -> int:
    """Remembers the sample life; how many memories were new."""
    remembered = await services.remember.many(user_id, sample_life().drafts)
    await drain(services, [user_id])
    return remembered.added


def _show(user_id: UserId, asked: list[tuple[str, Answer]]) -> None:
    for query, answer in asked:
        shown = [Group(memory_lines(hit.memory), Text(reason(hit), style="dim italic")) for hit in answer.hits]
        spaced = [part for each in shown for part in (each, Text())][:-1]
        answers.print(Panel(Group(*spaced), title=Text(query, style="bold"), title_align="left", border_style="cyan"))
    answers.print("\nGo on:")
    for command, purpose in _GO_ON:
        answers.print(f"  [bold]{command.format(user=user_id)}[/]  [dim]{purpose}[/]", soft_wrap=True)
