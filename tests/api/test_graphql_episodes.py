"""Episodes and the relationship through GraphQL."""

from typing import Any

import pytest

from tests.api.caller import Caller

START = "mutation($at: DateTime) { startEpisode(at: $at) { id startedAt endedAt turnCount durationSeconds } }"
ADD = """
mutation($id: ID!, $turns: [TurnInput!]!) {
  addTurns(episodeId: $id, turns: $turns) { id turnCount turns { edges { node { id role content at } } } }
}
"""
SAY = "mutation($turns: [TurnInput!]!) { say(turns: $turns) { id turnCount endedAt } }"
END = """
mutation($id: ID!, $at: DateTime) {
  endEpisode(id: $id, at: $at) {
    id endedAt durationSeconds summary topics emotionalTone keyDecisions importance turnCount
  }
}
"""
DELETE = "mutation($id: ID!) { deleteEpisode(id: $id) }"
LIST = """
query($search: String, $first: Int, $after: String) {
  episodes(search: $search, first: $first, after: $after) {
    edges { cursor score node { id summary } } pageInfo { hasNextPage hasPreviousPage endCursor }
  }
}
"""
TURNS = """
query($id: ID!, $first: Int, $after: String) {
  node(id: $id) { id ... on Episode { turns(first: $first, after: $after) {
    edges { cursor node { content } } pageInfo { hasNextPage hasPreviousPage endCursor } } } }
}
"""
RELATIONSHIP = """
{ relationship { trust band sessions streakDays longestStreakDays minutes topics insideJokes sharedReferences
                 communicationNotes peakHours mood } }
"""


def turn(content: str, at: str | None = None, role: str = "user", **more: Any) -> dict[str, Any]:
    return {"content": content, "at": at, "role": role, **more}


async def an_episode(call: Caller, day: int = 1, *texts: str) -> str:
    """An ended episode of ten minutes on a day of May 2025."""
    started = f"2025-05-{day:02}T10:00:00Z"
    episode_id = (await call(START, at=started)).data["startEpisode"]["id"]
    said = texts or ("The kayak leaks.", "Where does it leak?")
    turns = [turn(text, started, ("user", "assistant")[place % 2]) for place, text in enumerate(said)]
    await call(ADD, id=episode_id, turns=turns)
    await call(END, id=episode_id, at=f"2025-05-{day:02}T10:10:00Z")
    return episode_id


async def test_an_episode_from_its_start_to_its_end(call: Caller):
    begun = (await call(START, at="2025-05-01T12:00:00+02:00")).data["startEpisode"]
    turns = [turn("The kayak leaks. We decided to sell it.", "2025-05-01T10:01:00Z"), turn("Oh.", None, "ASSISTANT")]
    added = (await call(ADD, id=begun["id"], turns=turns)).data["addTurns"]
    ended = (await call(END, id=begun["id"])).data["endEpisode"]

    assert begun | {"id": ""} == {
        "id": "",
        "startedAt": "2025-05-01T10:00:00+00:00",
        "endedAt": None,
        "turnCount": 0,
        "durationSeconds": None,
    }
    nodes = [edge["node"] for edge in added["turns"]["edges"]]
    assert [(node["role"], node["content"]) for node in nodes] == [
        ("user", "The kayak leaks. We decided to sell it."),
        ("assistant", "Oh."),
    ]
    assert ended["summary"] == "The kayak leaks. We decided to sell it."
    assert (ended["keyDecisions"], ended["emotionalTone"]) == (["We decided to sell it."], "neutral")
    assert ended["durationSeconds"] > 60
    assert (await call("query($id: ID!) { node(id: $id) { __typename id } }", id=nodes[0]["id"])).data["node"] == {
        "__typename": "Turn",
        "id": nodes[0]["id"],
    }
    assert await call.texts(kinds=["EPISODIC"]) == ["The kayak leaks. We decided to sell it."]


async def test_what_is_said_needs_no_episode(call: Caller):
    turns = [turn("Morning.", "2025-05-01T08:00:00Z"), turn("Evening.", "2025-05-01T20:00:00Z")]

    first, second = (await call(SAY, turns=turns)).data["say"]
    [third] = (await call(SAY, turns=[turn("Night.", "2025-05-01T20:30:00Z", idempotencyKey="n")])).data["say"]
    [again] = (await call(SAY, turns=[turn("Night.", "2025-05-01T20:30:00Z", idempotencyKey="n")])).data["say"]

    assert (first["turnCount"], first["endedAt"]) == (1, "2025-05-01T08:00:00+00:00")
    assert (second["id"], second["endedAt"], third["turnCount"]) == (third["id"], None, 2)
    assert again == third
    recent = (await call("{ recentTurns { content } }")).data["recentTurns"]
    assert [each["content"] for each in recent] == ["Morning.", "Evening.", "Night."]


async def test_pages_of_episodes_and_turns_follow_from_the_data(call: Caller, call_as_other: Caller):  # case 40
    ids = [await an_episode(call, day) for day in range(1, 6)]
    texts = [f"Turn {number}" for number in range(7)]
    talk = await an_episode(call, 6, *texts)
    expected = [talk, *reversed(ids)]

    page = (await call(LIST, first=4)).data["episodes"]
    rest = (await call(LIST, first=4, after=page["pageInfo"]["endCursor"])).data["episodes"]
    assert [edge["node"]["id"] for edge in (*page["edges"], *rest["edges"])] == expected
    flags = [(each["pageInfo"]["hasPreviousPage"], each["pageInfo"]["hasNextPage"]) for each in (page, rest)]
    assert flags == [(False, True), (True, False)]
    assert (await call(LIST, first=0)).data["episodes"]["edges"] == []

    cursor = page["pageInfo"]["endCursor"]
    for wrong in ({"first": -1}, {"first": 10**9}, {"after": "a random text"}, {"search": "kayak", "after": cursor}):
        assert (await call(LIST, **wrong)).code == "BAD_USER_INPUT"
    assert (await call_as_other(LIST, after=cursor)).code == "BAD_USER_INPUT"
    assert (await call_as_other(LIST)).data["episodes"]["edges"] == []
    assert (await call_as_other(TURNS, id=talk)).code == "NOT_FOUND"

    seen, after = [], None
    while True:
        turns = (await call(TURNS, id=talk, first=3, after=after)).data["node"]["turns"]
        seen += [edge["node"]["content"] for edge in turns["edges"]]
        after = turns["pageInfo"]["endCursor"]
        if not turns["pageInfo"]["hasNextPage"]:
            break
    assert seen == texts


async def test_a_search_scores_and_pages(call: Caller, call_as_other: Caller):
    kayak, _, both = (
        await an_episode(call, 1),
        await an_episode(call, 2, "Rain.", "Yes."),
        await an_episode(call, 3, "A kayak to repair.", "Fine."),
    )

    found = (await call(LIST, search="repair kayak")).data["episodes"]["edges"]
    second = (await call(LIST, search="repair kayak", first=1, after=found[0]["cursor"])).data["episodes"]

    assert [(edge["node"]["id"], edge["score"]) for edge in found] == [(both, 11.0), (kayak, 5.5)]
    assert [edge["node"]["id"] for edge in second["edges"]] == [kayak]
    assert (await call_as_other(LIST, search="kayak")).data["episodes"]["edges"] == []
    assert (await call(LIST, search="  ")).fields == ["search"]


async def test_the_relationship_grows_with_episodes(call: Caller, call_as_other: Caller):
    none = (await call(RELATIONSHIP)).data["relationship"]
    for day in (1, 2):
        await an_episode(call, day, "Our running joke about the duck. Please keep it short. I'm happy.", "Ha.")

    grown = (await call(RELATIONSHIP)).data["relationship"]

    assert none == {
        "trust": 0.3,
        "band": "none",
        "sessions": 0,
        "streakDays": 0,
        "longestStreakDays": 0,
        "minutes": 0.0,
        "topics": [],
        "insideJokes": [],
        "sharedReferences": [],
        "communicationNotes": [],
        "peakHours": None,
        "mood": None,
    }
    assert (grown["sessions"], grown["streakDays"], grown["minutes"], grown["band"]) == (2, 2, 20.0, "growing")
    assert grown["trust"] == pytest.approx(0.3 + 0.2 * 0.47712 + 0.04, abs=1e-4)
    assert (grown["insideJokes"], grown["mood"], grown["peakHours"]) == (["the duck"], "happy", None)
    assert grown["communicationNotes"] == [{"trait": "length", "value": "brief", "confidence": 0.6}]
    assert (await call_as_other(RELATIONSHIP)).data["relationship"] == none


async def test_mistakes_have_codes_and_name_their_fields(call: Caller, call_as_other: Caller):
    episode_id = await an_episode(call)
    live = (await call(START, at="2025-05-01T10:00:00Z")).data["startEpisode"]["id"]

    wrong = await call(ADD, id=live, turns=[turn(" ", None, "robot"), turn("x", "2025-05-01T09:59:59Z")])
    assert wrong.fields == ["turns[0].role", "turns[0].content"]
    assert (await call(ADD, id=live, turns=[turn("x", "2025-05-01T09:59:59Z")])).fields == ["turns[0].at"]
    assert (await call(ADD, id=live, turns=[])).fields == ["turns"]
    assert (await call(ADD, id=episode_id, turns=[turn("late")])).code == "CONFLICT"
    assert (await call(END, id=episode_id, at="2025-05-02T10:00:00Z")).code == "CONFLICT"
    assert (await call(END, id=live, at="2025-05-01T09:00:00Z")).fields == ["at"]
    for caller, named in ((call, "nowhere"), (call_as_other, live)):
        assert (await caller(ADD, id=named, turns=[turn("x")])).code == "NOT_FOUND"
        assert (await caller(END, id=named)).code == "NOT_FOUND"
        assert (await caller(DELETE, id=named)).code == "NOT_FOUND"
    assert (await call(END, id=episode_id)).data["endEpisode"]["id"] == episode_id


async def test_a_deleted_episode_is_gone_and_its_memories_stay(call: Caller):
    episode_id = await an_episode(call)

    assert (await call(DELETE, id=episode_id)).data["deleteEpisode"] is True
    assert (await call(DELETE, id=episode_id)).code == "NOT_FOUND"
    assert (await call(LIST)).data["episodes"]["edges"] == []
    assert (await call(RELATIONSHIP)).data["relationship"]["sessions"] == 0
    assert await call.texts() == ["The kayak leaks."]


async def test_the_context_tells_of_so_many_episodes(call: Caller):
    for day in (1, 2, 3):
        await an_episode(call, day, f"Number {day} of the kayak.", "Oh.")
    query = "query($episodes: Int) { agentContext(episodes: $episodes) }"

    two = (await call(query, episodes=2)).data["agentContext"]

    assert [f"May: Number {day}" in two for day in (1, 2, 3)] == [False, True, True]
    assert (await call(query, episodes=-1)).fields == ["episodes"]
