"""Sleep as a caller of GraphQL meets it: one mutation, reports in pages, snapshots, notices, and a subscription."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from api.server import serve
from graph_memory.bootstrap import Services
from graph_memory.domain.vocabulary import UserId
from tests.api.caller import Caller

SLEEP = """
mutation($beat: Beat!, $dryRun: Boolean, $at: DateTime, $wait: Boolean) {
  sleep(beat: $beat, dryRun: $dryRun, at: $at, wait: $wait) {
    id beat status progress dryRun startedAt finishedAt statesChanged promoted merged plan notes statistics
  }
}
"""
RUNS = """
query($first: Int, $after: String) {
  sleepRuns(first: $first, after: $after) {
    edges { cursor node { id beat status } } pageInfo { hasNextPage hasPreviousPage endCursor }
  }
}
"""
PROGRESS = "subscription($run: ID) { sleepProgress(runId: $run) { id status progress } }"


async def test_a_beat_is_run_and_reported(call: Caller):
    await call.remember("I met Bruno in Porto.")

    report = (await call(SLEEP, beat="CYCLE")).data["sleep"]

    assert (report["beat"], report["status"], report["progress"], report["dryRun"]) == ("CYCLE", "DONE", 1.0, False)
    assert (report["promoted"], report["merged"], report["plan"]) == (0, 0, [])
    assert report["finishedAt"] >= report["startedAt"]


async def test_a_dry_run_lists_what_it_would_do(call: Caller):
    await call.remember("I met Bruno in Porto.")

    report = (await call(SLEEP, beat="CYCLE", dryRun=True)).data["sleep"]

    assert report["dryRun"] is True
    assert {"step": "snapshot", "action": "snapshot"}.items() <= report["plan"][-1].items()
    assert (await call("{ priorities { edges { node { id } } } }")).data["priorities"]["edges"] == []


async def test_housekeeping_tells_what_the_graph_holds(call: Caller):
    await call.remember("I met Bruno in Porto.")

    report = (await call(SLEEP, beat="HOUSEKEEPING")).data["sleep"]

    assert report["statistics"]["memories"] == 1


async def test_an_instant_ahead_of_the_clock_is_refused(call: Caller):
    await call.remember("I met Bruno in Porto.")

    answer = await call(SLEEP, beat="CYCLE", at="2999-01-01T00:00:00Z")

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", ["at"])
    assert (await call(RUNS)).data["sleepRuns"]["edges"] == []


async def test_runs_are_listed_in_pages_and_found_by_id(call: Caller, call_as_other: Caller):
    await call.remember("I met Bruno in Porto.")
    made = [(await call(SLEEP, beat="LINK")).data["sleep"]["id"] for _ in range(3)]

    first = (await call(RUNS, first=2)).data["sleepRuns"]
    rest = (await call(RUNS, first=2, after=first["pageInfo"]["endCursor"])).data["sleepRuns"]
    node = "query($id: ID!) { node(id: $id) { id __typename ... on SleepReport { beat } } }"
    found = (await call(node, id=made[0])).data["node"]
    foreign = await call_as_other(node, id=made[0])

    assert [edge["node"]["id"] for edge in (*first["edges"], *rest["edges"])] == made[::-1]
    assert (first["pageInfo"]["hasNextPage"], rest["pageInfo"]["hasNextPage"]) == (True, False)
    assert found == {"id": made[0], "__typename": "SleepReport", "beat": "LINK"}
    assert foreign.code == "NOT_FOUND"
    assert (await call_as_other(RUNS)).data["sleepRuns"]["edges"] == []


async def test_what_mattered_is_shown_with_its_drift(call: Caller, services: Services):
    await call.remember("I met Bruno in Porto.")
    while await services.enrich():
        pass
    await call(SLEEP, beat="CYCLE")

    page = (
        await call("{ priorities { edges { node { id at weights similarity drift tooEarly decisionIds } } } }")
    ).data["priorities"]

    [node] = [edge["node"] for edge in page["edges"]]
    assert set(node["weights"]) == {"bruno", "porto"}
    assert (node["similarity"], node["drift"], node["tooEarly"], node["decisionIds"]) == (None, "STABLE", True, [])
    again = await call("query($id: ID!) { node(id: $id) { ... on PrioritySnapshot { drift } } }", id=node["id"])
    assert again.data["node"] == {"drift": "STABLE"}


async def test_there_may_be_nothing_to_tell(call: Caller):
    await call.remember("I met Bruno in Porto.")

    assert (await call("{ notices { kind text at memories { id } } }")).data["notices"] == []


class Socket:
    """One WebSocket to a served product, speaking graphql-transport-ws."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, **message: Any) -> None:
        await self._connection.send(json.dumps(message))

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(30):
            return json.loads(await self._connection.recv())  # type: ignore[no-any-return]

    async def open(self, payload: Any = None) -> None:
        await self.send(type="connection_init", payload=payload)
        assert await self.receive() == {"type": "connection_ack"}

    async def subscribe(self, query: str, identifier: str = "1", **variables: Any) -> None:
        await self.send(type="subscribe", id=identifier, payload={"query": query, "variables": variables})


@pytest.fixture
async def address(services: Services) -> AsyncIterator[str]:
    """Where GraphQL is served for this test."""
    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve(services, port=0, notify=told.set_result))
    yield (await told).replace("http://", "ws://")
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@asynccontextmanager
async def socket(address: str, user: str | None, **headers: str) -> AsyncIterator[Socket]:
    named = {"X-User-Id": user} if user else {}
    async with connect(address, subprotocols=["graphql-transport-ws"], additional_headers={**named, **headers}) as each:  # type: ignore[list-item]
        yield Socket(each)


async def test_the_progress_of_a_run_is_a_subscription(address: str, user: UserId, call: Caller):
    await call.remember("I met Bruno in Porto.")
    begun = (await call(SLEEP, beat="CYCLE", wait=False)).data["sleep"]

    async with socket(address, user) as each:
        await each.open()
        await each.subscribe(PROGRESS, run=begun["id"])
        standings = []
        while (message := await each.receive())["type"] == "next":
            standings.append(message["payload"]["data"]["sleepProgress"])

    assert message == {"type": "complete", "id": "1"}
    assert standings[-1] == {"id": begun["id"], "status": "DONE", "progress": 1.0}


async def test_all_runs_of_the_user_are_followed_and_no_one_elses(
    address: str, user: UserId, call: Caller, call_as_other: Caller
):
    await call.remember("I met Bruno in Porto.")
    await call_as_other.remember("I met Bruno in Porto.")

    async with socket(address, None) as each:
        await each.open({"X-User-Id": user})
        await each.subscribe(PROGRESS)
        await asyncio.sleep(0.5)
        await call_as_other(SLEEP, beat="CYCLE")
        mine = (await call(SLEEP, beat="CYCLE")).data["sleep"]["id"]
        standing = (await each.receive())["payload"]["data"]["sleepProgress"]
        await each.send(type="complete", id="1")
        await each.subscribe("{ stats { memories } }", identifier="2")
        counted = await each.receive()

    assert standing["id"] == mine
    assert counted == {"type": "next", "id": "2", "payload": {"data": {"stats": {"memories": 1}}}}


async def test_what_is_wrong_with_a_subscription_is_told_as_over_http(address: str, user: UserId):
    async with socket(address, user) as each:
        await each.open()
        await each.subscribe(PROGRESS, identifier="unknown", run="no such run")
        unknown = await each.receive()
        await each.subscribe("subscription { sleepProgres { id } }", identifier="misspelt")
        misspelt = await each.receive()
        await each.send(type="subscribe", id="empty", payload={"query": " "})
        empty = await each.receive()
        await each.send(type="ping")
        alive = await each.receive()

    assert [message["payload"][0]["extensions"]["code"] for message in (unknown, misspelt, empty)] == [
        "NOT_FOUND",
        "BAD_USER_INPUT",
        "BAD_USER_INPUT",
    ]
    assert {message["type"] for message in (unknown, misspelt, empty)} == {"error"}
    assert alive == {"type": "pong"}


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        ([{"type": "subscribe", "id": "1", "payload": {"query": "{ stats { memories } }"}}], 4401),
        ([{"type": "connection_init"}, {"type": "connection_init"}], 4429),
        ([{"type": "connection_init"}, {"type": "shout"}], 4400),
        ([{"type": "connection_init"}, ["no object"]], 4400),
        ([{"type": "connection_init", "payload": {"X-User-Id": " "}}], 4400),
    ],
)
async def test_a_connection_that_breaks_the_protocol_is_closed_with_the_reason(
    address: str, user: UserId, messages: list[Any], code: int
):
    async with connect(address, subprotocols=["graphql-transport-ws"]) as each:  # type: ignore[list-item]
        for message in messages:
            await each.send(json.dumps(message))
        async with asyncio.timeout(30):
            await each.wait_closed()

    assert each.close_code == code


async def test_a_page_of_another_site_cannot_open_a_socket_to_this_machine(address: str, user: UserId):
    here = address.replace("ws://", "http://").removesuffix("/graphql")

    with pytest.raises(InvalidStatus) as caught:
        async with socket(address, user, Origin="https://elsewhere.example"):
            pass
    async with socket(address, user, Origin=here) as each:
        await each.open()

    assert caught.value.response.status_code == 403


async def test_a_subscription_cannot_be_sent_over_http(call: Caller):
    answer = await call("subscription { sleepProgress { id } }")

    assert answer.code == "BAD_USER_INPUT"
