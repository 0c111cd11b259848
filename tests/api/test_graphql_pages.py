"""Lists through GraphQL: slices and flags that follow from the data."""

from typing import Any

import pytest

from tests.api.caller import REMEMBER_MANY, Caller

PAGE = """
query($first: Int, $after: String, $last: Int, $before: String, $orderBy: MemoryOrder, $filter: MemoryFilter) {
  memories(first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy, filter: $filter) {
    edges { cursor node { text } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }
"""


@pytest.fixture
async def cursors(call: Caller) -> list[str]:
    """The cursors of 24 memories, numbered from 1 in the order of what happened."""
    rows = [{"text": f"Item {number}", "occurredAt": f"2031-05-{number:02}T00:00:00Z"} for number in range(1, 25)]
    await call(REMEMBER_MANY, inputs=rows)
    edges = (await page(call, first=100))["edges"]
    assert [edge["node"]["text"] for edge in edges] == [f"Item {number}" for number in range(1, 25)]
    return [edge["cursor"] for edge in edges]


async def page(call: Caller, **slice_: Any) -> dict[str, Any]:
    return (await call(PAGE, orderBy="OCCURRED_ASC", **slice_)).data["memories"]


def shown(memories: dict[str, Any]) -> tuple[list[int], bool, bool]:
    """The numbers on a page, and whether it says that more comes before and after."""
    info = memories["pageInfo"]
    numbers = [int(edge["node"]["text"].split()[1]) for edge in memories["edges"]]
    return numbers, info["hasPreviousPage"], info["hasNextPage"]


async def test_slices_and_flags_follow_from_the_data(call: Caller, cursors: list[str]):  # case 40
    slices: list[tuple[dict[str, Any], tuple[list[int], bool, bool]]] = [
        ({"first": 4, "before": cursors[9]}, ([1, 2, 3, 4], False, True)),
        ({"last": 3, "after": cursors[5]}, ([22, 23, 24], True, False)),
        ({"first": 3, "after": cursors[5]}, ([7, 8, 9], True, True)),
        ({"last": 2, "before": cursors[2]}, ([1, 2], False, True)),
        ({"first": 24}, (list(range(1, 25)), False, False)),
        ({"last": 24}, (list(range(1, 25)), False, False)),
        ({"first": 5, "after": cursors[3], "before": cursors[6]}, ([5, 6], True, True)),
        ({"first": 5, "after": cursors[23]}, ([], True, False)),
    ]

    for slice_, expected in slices:
        assert shown(await page(call, **slice_)) == expected, slice_


async def test_an_empty_page_is_empty(call: Caller, cursors: list[str]):  # case 40
    memories = await page(call, first=0)

    assert memories["edges"] == []
    assert memories["pageInfo"]["startCursor"] is None


@pytest.mark.parametrize(
    ("slice_", "field"),
    [
        ({"first": -1}, "first"),
        ({"first": 10**9}, "first"),
        ({"last": -5}, "last"),
        ({"first": 1, "last": 1}, "last"),
        ({"after": "a random text"}, "after"),
        ({"before": "\ud800"}, "before"),
        ({"after": ""}, "after"),
    ],
)
async def test_bounds_and_cursors_that_are_none_are_refused(
    call: Caller, slice_: dict[str, Any], field: str
):  # case 40
    answer = await call(PAGE, orderBy="OCCURRED_ASC", **slice_)

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", [field])


async def test_another_users_cursor_and_another_lists_cursor_show_nothing(
    call: Caller, call_as_other: Caller, cursors: list[str]
):  # case 40
    foreign = await call_as_other(PAGE, orderBy="OCCURRED_ASC", after=cursors[0])
    other_list = await call(PAGE, orderBy="CREATED_ASC", after=cursors[0])

    assert (foreign.code, foreign.fields) == ("BAD_USER_INPUT", ["after"])
    assert (other_list.code, other_list.fields) == ("BAD_USER_INPUT", ["after"])


async def test_walking_by_pages_meets_every_memory_once(call: Caller, cursors: list[str]):
    numbers: list[int] = []
    after = None
    while True:
        memories = await page(call, first=7, after=after)
        numbers += shown(memories)[0]
        after = memories["pageInfo"]["endCursor"]
        if not memories["pageInfo"]["hasNextPage"]:
            break

    assert numbers == list(range(1, 25))


async def test_every_condition_of_a_filter_is_kept(call: Caller):
    await call.remember(
        "The rope is red",
        kind="SEMANTIC",
        category="CONTEXT",
        lane="LONG_TERM",
        bucket="boat",
        tags=["sea"],
        sessionId="s-1",
        agentId="a-1",
        externalId="e-1",
        pinned=True,
        validAt="2031-05-01T00:00:00Z",
        people=["Ana"],
        entities=["Sea Star"],
        wait=True,
    )
    conditions = [
        ({"kinds": ["SEMANTIC"]}, {"kinds": ["EPISODIC"]}),
        ({"categories": ["CONTEXT", "OTHER"]}, {"categories": ["OTHER"]}),
        ({"lanes": ["LONG_TERM"]}, {"lanes": ["MID_TERM"]}),
        ({"buckets": ["boat"]}, {"buckets": ["default"]}),
        ({"states": ["CORE"]}, {"states": ["DREAM", "ARCHIVE"]}),
        ({"text": "ROPE is"}, {"text": "cord"}),
        ({"tags": ["sea"]}, {"tags": ["land"]}),
        ({"sessionId": "s-1"}, {"sessionId": "s-2"}),
        ({"agentId": "a-1"}, {"agentId": "a-2"}),
        ({"externalId": "e-1"}, {"externalId": "e-2"}),
        ({"people": ["ana"]}, {"people": ["Bruno"]}),
        ({"entities": ["sea star"]}, {"entities": ["Blue Harbour"]}),
        ({"pinned": True}, {"pinned": False}),
        ({"hidden": False}, {"hidden": True}),
        ({"superseded": False}, {"superseded": True}),
        ({"labile": False}, {"labile": True}),
        ({"expired": False}, {"expired": True}),
        ({"validFrom": "2031-05-01T00:00:00Z"}, {"validFrom": "2031-05-02T00:00:00Z"}),
        ({"validUntil": "2031-05-02T00:00:00Z"}, {"validUntil": "2031-05-01T00:00:00Z"}),
        ({"createdFrom": "2020-01-01T00:00:00"}, {"createdUntil": "2020-01-01T00:00:00"}),
    ]

    for holds, fails in conditions:
        assert await call.texts(**holds) == ["The rope is red"], holds
        assert await call.texts(**fails) == [], fails


async def test_an_empty_list_in_a_filter_is_refused_and_never_means_all(call: Caller):
    await call.remember("The rope is red")

    for name in ("kinds", "people", "entities", "tags", "buckets"):
        answer = await call("query($f: MemoryFilter) { memories(filter: $f) { totalCount } }", f={name: []})
        assert (answer.code, answer.fields) == ("BAD_USER_INPUT", [name])


async def test_people_and_entities_are_listed_searched_and_lead_to_their_memories(call: Caller):
    await call.remember("Ana took the ferry to Blue Harbour", people=["Ana"], wait=True)
    await call.remember("Bruno stayed at home", speaker="Bruno", wait=True)

    answer = await call(
        """{ all: people { edges { node { name memories { totalCount edges { node { text } } } } } }
             some: people(search: "brun") { edges { node { id name aliases lastMentionedAt } } }
             entities(search: "harbour") { totalCount edges { node { name } } } }"""
    )

    people = {edge["node"]["name"]: edge["node"]["memories"] for edge in answer.data["all"]["edges"]}
    assert set(people) == {"Ana", "Bruno"}
    assert people["Ana"]["totalCount"] == 1
    assert people["Ana"]["edges"][0]["node"]["text"] == "Ana took the ferry to Blue Harbour"
    assert [edge["node"]["name"] for edge in answer.data["some"]["edges"]] == ["Bruno"]
    assert answer.data["entities"] == {"totalCount": 1, "edges": [{"node": {"name": "Blue Harbour"}}]}
