"""Runs commands in this process and reads what they print."""

import json
from collections.abc import Callable
from typing import Any

from typer.testing import Result

from graph_memory.settings import Settings

Run = Callable[..., Result]


def environment(settings: Settings) -> dict[str, str]:
    """The variables that lead a command to the test server, with the embedder of the tests."""
    named = {
        "NEO4J_URI": settings.neo4j.uri,
        "NEO4J_USERNAME": settings.neo4j.username,
        "NEO4J_PASSWORD": settings.neo4j.password,
        "GRAPH_MEMORY_HOME": str(settings.home),
        "GRAPH_MEMORY_CACHE": str(settings.cache),
        "GRAPH_MEMORY_EMBEDDER__NAME": "hashing",
    }
    return {name: value for name, value in named.items() if value}


def document(result: Result) -> Any:
    """The one JSON document on standard output."""
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)
