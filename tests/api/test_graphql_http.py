"""The HTTP side: requests that are none, limits before anything runs, the explorer, and signs of life."""

import json
import re
from dataclasses import replace
from typing import Any

import httpx
import pytest

from api.app import create_app
from api.server import LoopbackOnly
from graph_memory.bootstrap import Services
from graph_memory.errors import StoreError
from tests.api.caller import Caller

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("content", "field"),
    [
        (b"", "body"),
        (b"{", "body"),
        (b"\xff\xfe", "body"),
        (b"7", "body"),
        (b"[" * 5_000, "body"),
        (b'[{"query": "{ stats { memories } }"}]', "body"),
        (b"{}", "query"),
        (b'{"query": 7}', "query"),
        (b'{"query": "{ stats { memories } }", "variables": []}', "variables"),
        (b'{"query": "{ stats { memories } }", "variables": {"x": NaN}}', "body"),
        (b'{"query": "query A { stats { memories } }", "operationName": "B"}', "operationName"),
        (b'{"query": "{ stats { "}', "query"),
        (b'{"query": "{ nothing }"}', "query"),
    ],
)
async def test_a_request_that_is_none_gets_one_json_error(http: httpx.AsyncClient, content: bytes, field: str):
    response = await http.post("/graphql", content=content, headers=JSON)

    [error] = response.json()["errors"]
    assert error["extensions"]["code"] == "BAD_USER_INPUT"
    assert [problem["field"] for problem in error["extensions"]["problems"]] == [field]


async def test_only_json_is_taken(http: httpx.AsyncClient):
    response = await http.post("/graphql", content=b"{}", headers={"Content-Type": "text/plain"})

    assert response.status_code == 400
    assert response.json()["errors"][0]["extensions"]["problems"][0]["field"] == "Content-Type"


async def test_a_get_may_ask_but_not_change(http: httpx.AsyncClient):
    asked = await http.get("/graphql", params={"query": "{ settings { timeZone } }"})
    changed = await http.get("/graphql", params={"query": 'mutation { unlink(id: "x") }'})

    assert asked.json() == {"data": {"settings": {"timeZone": "UTC"}}}
    assert changed.json()["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"


async def test_a_body_over_the_limit_is_refused_stated_or_not(services: Services):
    small = replace(
        services, settings=replace(services.settings, serve=replace(services.settings.serve, max_body_bytes=100))
    )

    async def in_pieces() -> Any:
        for _ in range(50):
            yield b" " * 10

    async with httpx.AsyncClient(transport=httpx.ASGITransport(create_app(small)), base_url="http://localhost") as http:
        stated = await http.post("/graphql", content=b" " * 500, headers=JSON)
        unstated = await http.post("/graphql", content=in_pieces(), headers=JSON)

    for response in (stated, unstated):
        assert response.status_code == 413
        assert response.json()["errors"][0]["extensions"]["code"] == "LIMIT_EXCEEDED"


def nested(levels: int) -> str:
    inner = "id"
    for _ in range(levels):
        inner = f"id links {{ edges {{ node {{ target {{ ... on Memory {{ {inner} }} }} }} }} }}"
    return f"{{ memories {{ edges {{ node {{ {inner} }} }} }} }}"


def by_fragments(levels: int) -> str:
    parts = [
        f"fragment F{level} on Memory {{ links(first: 1) {{ edges {{ node {{ target {{ ...F{level + 1} }} }} }} }} }}"
        for level in range(levels)
    ]
    return (
        "{ memories(first: 1) { edges { node { ...F0 } } } }"
        + "".join(parts)
        + f"fragment F{levels} on Memory {{ id }}"
    )


def doubling(levels: int) -> str:
    parts = [f"fragment D{level} on Memory {{ ...D{level + 1} ...D{level + 1} }}" for level in range(levels)]
    return "{ memories { edges { node { ...D0 } } } }" + "".join(parts) + f"fragment D{levels} on Memory {{ id }}"


@pytest.mark.parametrize(
    "query",
    [
        nested(30),
        by_fragments(30),
        doubling(60),
        "{" + " ".join(f"a{number}: stats {{ memories }}" for number in range(2_000)) + "}",
        "{ stats { " + "memories " * 20_000 + "} }",
        "{ memories(first: 100) { edges { node { people { memories(first: 100) { edges { node { people {"
        " memories(first: 100) { edges { node { id } } } } } } } } } } } }",
        "{ memories " + "{ a " * 4_000 + "} " * 4_000 + "}",
    ],
    ids=["depth", "depth by fragments", "doubling fragments", "aliases", "tokens", "lists in lists", "brackets"],
)
async def test_a_request_that_is_too_large_is_refused_before_anything_runs(call: Caller, query: str):
    answer = await call(query)

    codes = {error["extensions"]["code"] for error in answer.body["errors"]}
    assert codes == {"LIMIT_EXCEEDED"}
    assert answer.body["data"] is None


async def test_a_page_size_in_a_variable_counts_like_one_in_the_query(call: Caller):
    query = """query($n: Int) { memories(first: $n) { edges { node { people { memories(first: $n) { edges { node {
      people { memories(first: $n) { edges { node { id } } } } } } } } } } } }"""

    assert (await call(query, n=100)).code == "LIMIT_EXCEEDED"
    assert (await call(query, n=3)).data == {"memories": {"edges": []}}


async def test_fragments_in_a_ring_are_named_as_such(call: Caller):
    answer = await call(
        "{ memories { edges { node { ...A } } } } fragment A on Memory { ...B } fragment B on Memory { ...A }"
    )

    assert answer.code == "BAD_USER_INPUT"
    assert "fragment" in answer.error["message"]


async def test_the_usual_introspection_passes_the_limits(call: Caller):
    from graphql import get_introspection_query

    answer = await call(get_introspection_query())

    assert answer.data["__schema"]["queryType"]["name"] == "Query"


async def test_introspection_without_end_is_refused(call: Caller):
    inner = "name"
    for _ in range(8):
        inner = f"fields {{ type {{ {inner} }} }}"

    answer = await call(f"{{ __schema {{ types {{ {inner} }} }} }}")

    assert answer.body["data"] is None


async def test_what_goes_wrong_inside_is_logged_and_not_told(
    services: Services, user: str, caplog: pytest.LogCaptureFixture
):
    class Broken:
        async def stats(self, user_id: str) -> None:
            raise RuntimeError("bolt://neo4j:secret@host")

        async def settings(self, user_id: str) -> None:
            raise StoreError("the server cannot be reached at bolt://host", retryable=True)

    broken = replace(services, inspect=Broken())  # type: ignore[arg-type]  # only what the test asks
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(create_app(broken)), base_url="http://localhost"
    ) as http:
        call = Caller(http, user)
        internal, away = await call("{ stats { memories } }"), await call("{ settings { timeZone } }")
        ready, health = await http.get("/ready"), await http.get("/health")

    assert internal.code == "INTERNAL"
    assert away.code == "UNAVAILABLE"
    for said in (internal.body, away.body):
        assert "bolt" not in json.dumps(said)
    assert "secret" in caplog.text
    assert (ready.status_code, health.status_code) == (503, 200)


async def test_a_living_server_says_so(http: httpx.AsyncClient):
    assert (await http.get("/health")).json() == {"status": "alive"}
    assert (await http.get("/ready")).json() == {"status": "ready"}


@pytest.mark.parametrize("path", ["/", "/graphql"])
async def test_the_explorer_needs_nothing_from_elsewhere(http: httpx.AsyncClient, path: str):
    response = await http.get(path, headers={"Accept": "text/html,application/xhtml+xml"})

    policy = response.headers["Content-Security-Policy"]
    assert response.headers["Content-Type"].startswith("text/html")
    assert re.findall(r"(?:https?:)?//[a-z]", response.text) == []
    assert re.findall(r"""(?:src|href)=["'](?!data:)""", response.text) == []
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "http" not in policy
    assert "unsafe" not in policy


async def test_every_example_of_the_explorer_is_a_valid_query(http: httpx.AsyncClient, call: Caller):
    from graphql import build_schema, parse, validate

    from api.sdl import written_sdl

    page = (await http.get("/")).text
    examples = re.findall(r"`((?:query|mutation|\{)[^`$]*(?:\$[^`{]*[^`]*)?)`, ", page)

    assert len(examples) >= 7
    for example in examples:
        assert validate(build_schema(written_sdl()), parse(example)) == [], example


async def test_the_explorer_can_be_switched_off(services: Services):
    off = replace(services, settings=replace(services.settings, serve=replace(services.settings.serve, explorer=False)))

    async with httpx.AsyncClient(transport=httpx.ASGITransport(create_app(off)), base_url="http://localhost") as http:
        response = await http.get("/", headers={"Accept": "text/html"})

    assert response.status_code == 404


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("localhost:8000", 200),
        ("[::1]:8000", 200),
        ("evil.example", 400),
        ("127.0.0.1.evil.example", 400),
        ("", 400),
    ],
)
async def test_a_loopback_server_answers_to_its_own_name_alone(services: Services, host: str, status: int):
    app = LoopbackOnly(create_app(services))

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as http:
        response = await http.get("/health", headers={"Host": host})

    assert response.status_code == status


async def test_named_things_of_many_memories_are_read_in_one_question(
    services: Services, call: Caller, monkeypatch: pytest.MonkeyPatch
):
    for number in range(5):
        await call.remember(f"Ana and Bruno, part {number}", people=["Ana", "Bruno"], wait=number == 4)
    asked: list[int] = []
    inner = services.inspect.named_in

    async def counted(user_id: Any, ids: Any) -> Any:
        asked.append(len(ids))
        return await inner(user_id, ids)

    monkeypatch.setattr(services.inspect, "named_in", counted)
    answer = await call("{ memories { edges { node { people { name } entities { name } } } } }")

    assert len(answer.data["memories"]["edges"]) == 5
    assert asked == [5]
