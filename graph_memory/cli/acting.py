"""A command that does one thing to one memory and shows it as it then is."""

from collections.abc import Awaitable, Callable

from graph_memory.bootstrap import Services
from graph_memory.cli.console import answers, print_json
from graph_memory.cli.documents import memory_document
from graph_memory.cli.opening import opened, run
from graph_memory.cli.shown import memory_lines
from graph_memory.client import checked_user_id
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import UserId

Act = Callable[[Services, UserId], Awaitable[Memory]]


def act_on_memory(user: str, as_json: bool, done: str, act: Act) -> None:
    """Does `act` and says that it is `done`."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            memory = await act(services, user_id)
            if as_json:
                print_json(memory_document(memory, services.settings, services.clock.now()))
            else:
                answers.print(f"[green]{done}.[/]")
                answers.print(memory_lines(memory))

    run(work(checked_user_id(user)))
