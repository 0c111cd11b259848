"""Whose memory it is: the header decides, and nothing crosses over."""

import httpx
import pytest

from tests.api.caller import Caller

STATS = '{"query": "{ stats { memories } }"}'
JSON = {"Content-Type": "application/json"}


async def test_without_a_header_the_default_user_is_meant(http: httpx.AsyncClient):
    named = await http.post("/graphql", content=STATS, headers={**JSON, "X-User-Id": "default"})
    unnamed = await http.post("/graphql", content=STATS, headers=JSON)

    assert unnamed.json() == named.json()
    assert "errors" not in unnamed.json()


@pytest.mark.parametrize(
    "name",
    [b"", b" ", b"x" * 257, b"a\tb", b"a\x7fb", "a\u0085b".encode(), b"\xc3\x28", b"\xed\xa0\x80", "\u200b".encode()],
)
async def test_a_header_that_names_nobody_is_refused(http: httpx.AsyncClient, name: bytes):
    headers = [(b"content-type", b"application/json"), (b"x-user-id", name)]

    response = await http.post("/graphql", content=STATS, headers=headers)

    [error] = response.json()["errors"]
    assert response.status_code == 400
    assert error["extensions"]["code"] == "BAD_USER_INPUT"
    assert error["extensions"]["problems"][0]["field"] == "X-User-Id"


async def test_two_names_are_refused(http: httpx.AsyncClient):
    headers = [("content-type", "application/json"), ("x-user-id", "ann"), ("x-user-id", "bob")]

    response = await http.post("/graphql", content=STATS, headers=headers)

    assert response.json()["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"


async def test_a_name_in_any_script_is_a_user_of_its_own(http: httpx.AsyncClient, user: str):
    accented = Caller(http, f"Chloé-{user}".encode())  # type: ignore[arg-type]  # httpx sends bytes as they are
    plain = Caller(http, f"Chloe-{user}")

    await accented.remember("The accent matters")

    assert (await accented.count(), await plain.count()) == (1, 0)


async def test_no_list_of_one_user_shows_what_another_knows(call: Caller, call_as_other: Caller):  # case 15
    await call.remember("Ana is a plumber in Plumber Street", people=["Ana"], entities=["plumber"], wait=True)

    answer = await call_as_other(
        """{ memories(filter: { text: "plumber" }) { totalCount edges { node { id } } pageInfo { hasNextPage } }
             recall(input: { query: "plumber" }) { hits { rank } lanes { lane } }
             people(search: "ana") { edges { node { id } } }
             entities(search: "plumber") { totalCount edges { node { id } } }
             named: memories(filter: { people: ["Ana"] }) { totalCount }
             stats { memories people entities byKind links } }"""
    )

    assert answer.data == {
        "memories": {"totalCount": 0, "edges": [], "pageInfo": {"hasNextPage": False}},
        "recall": {"hits": [], "lanes": []},
        "people": {"edges": []},
        "entities": {"totalCount": 0, "edges": []},
        "named": {"totalCount": 0},
        "stats": {"memories": 0, "people": 0, "entities": 0, "byKind": {}, "links": {}},
    }


BY_ID = [
    "query($id: ID!) { memory(id: $id) { text } }",
    "query($id: ID!) { node(id: $id) { id } }",
    'mutation($id: ID!) { update(id: $id, input: { bucket: "mine" }) { id } }',
    "mutation($id: ID!) { forget(id: $id) { memory { id } } }",
    "mutation($id: ID!) { restore(id: $id) { id } }",
    "mutation($id: ID!) { erase(id: $id) { erased } }",
    "mutation($id: ID!) { unlink(id: $id) }",
]


@pytest.mark.parametrize("operation", BY_ID)
async def test_a_foreign_id_and_an_unknown_id_give_the_same_error(
    call: Caller, call_as_other: Caller, operation: str
):  # case 35
    memory = await call.remember("The safe is behind the picture")

    foreign = await call_as_other(operation, id=memory["id"])
    unknown = await call_as_other(operation, id="nobody-has-this")

    assert foreign.code == unknown.code == "NOT_FOUND"
    assert foreign.error["message"].replace(memory["id"], "ID") == unknown.error["message"].replace(
        "nobody-has-this", "ID"
    )
    assert await call.texts(expired=False, buckets=["default"]) == ["The safe is behind the picture"]


async def test_a_link_reaches_only_what_is_there_for_this_user(call: Caller, call_as_other: Caller):  # case 35
    mine = await call_as_other.remember("The ladder is in the shed")
    foreign = await call.remember("Ana owns a ladder", people=["Ana"], wait=True)
    gone = await call_as_other.remember("The shed burnt down")
    await call_as_other("mutation($id: ID!) { erase(id: $id) { erased } }", id=gone["id"])
    link = "mutation($input: LinkInput!) { link(input: $input) { id } }"
    targets = {
        "another user's": foreign["id"],
        "a foreign person": foreign["people"][0]["id"],
        "erased": gone["id"],
        "unknown": "nobody",
    }

    answers = {
        what: await call_as_other(link, input={"source": mine["id"], "target": target, "type": "REFERS_TO"})
        for what, target in targets.items()
    }

    assert {what: answer.code for what, answer in answers.items()} == dict.fromkeys(targets, "NOT_FOUND")
    said = {answer.error["message"].replace(targets[what], "ID") for what, answer in answers.items()}
    assert len(said) == 1


async def test_a_link_to_a_person_can_be_read_back(call: Caller):  # case 35
    memory = await call.remember("The ladder was lent")
    [person] = (await call.remember("Ana owns a ladder", people=["Ana"], wait=True))["people"]

    made = await call(
        "mutation($input: LinkInput!) { link(input: $input) { id target { __typename id } } }",
        input={"source": memory["id"], "target": person["id"], "type": "REFERS_TO"},
    )
    read = await call("query($id: ID!) { memory(id: $id) { people { name } } }", id=memory["id"])

    assert made.data["link"]["target"] == {"__typename": "Person", "id": person["id"]}
    assert read.data["memory"]["people"] == [{"name": "Ana"}]
