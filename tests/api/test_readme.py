"""The README's examples are what they say: its GraphQL is run and its answer compared, its Python is run too."""

import json
import re
from pathlib import Path
from typing import Any

from graph_memory import GraphMemory
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from graph_memory.testing import HashingEmbedder
from tests.api.caller import Caller

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


async def test_the_first_query_gives_the_answer_that_is_shown(call: Caller):
    remember, recall = blocks("graphql")
    [shown] = blocks("json")
    await call(remember)

    answer = await call(recall)

    assert answer.body == json.loads(shown)


async def test_the_python_example_runs(monkeypatch, settings: Settings, user: UserId, capsys):
    [example] = blocks("python")
    source = example.replace("asyncio.run(main())", "").replace('"ana"', repr(str(user)))
    connect = GraphMemory.connect

    def connect_here(**given: Any) -> Any:
        return connect(**given, settings=settings, embedder=HashingEmbedder())

    monkeypatch.setattr(GraphMemory, "connect", connect_here)
    names: dict[str, Any] = {}

    exec(compile(source, "README.md", "exec"), names)
    await names["main"]()

    assert capsys.readouterr().out == "The boat is called Luna.\n"
