"""Instants through GraphQL, and computed fields for any of them."""

from datetime import UTC, datetime

import pytest

from tests.api.caller import Caller


async def test_instants_are_iso_text_with_an_offset_and_keep_their_microseconds(call: Caller):  # case 12
    memory = await call.remember("x", occurredAt="2031-05-01T10:00:00.123456+02:00", validAt="2031-05-01")

    answer = await call(
        "query($id: ID!) { memory(id: $id) { occurredAt validAt createdAt lastAccessedAt visibleUntil } }",
        id=memory["id"],
    )

    shown = answer.data["memory"]
    assert shown["occurredAt"] == "2031-05-01T08:00:00.123456+00:00"
    assert shown["validAt"] == "2031-05-01T00:00:00+00:00"
    for text in (shown["createdAt"], shown["visibleUntil"]):
        assert datetime.fromisoformat(text).utcoffset() is not None


async def test_three_spellings_of_a_time_follow_one_rule(call: Caller):
    written = {
        "without": "2032-06-01T10:00:00",
        "plus two": "2032-06-01T10:00:00+02:00",
        "zulu": "2032-06-01T08:00:00Z",
    }
    for text, instant in written.items():
        await call.remember(text, occurredAt=instant)

    answer = await call("{ memories(orderBy: OCCURRED_ASC) { edges { node { text occurredAt } } } }")

    nodes = [edge["node"] for edge in answer.data["memories"]["edges"]]
    assert {node["text"]: node["occurredAt"] for node in nodes} == {
        "plus two": "2032-06-01T08:00:00+00:00",
        "zulu": "2032-06-01T08:00:00+00:00",
        "without": "2032-06-01T10:00:00+00:00",
    }
    assert nodes[-1]["text"] == "without"


async def test_a_time_zone_given_beside_a_time_is_where_it_is_read(call: Caller):
    memory = await call.remember("x", occurredAt="2031-07-01T09:00:00", timeZone="America/New_York")

    answer = await call("query($id: ID!) { memory(id: $id) { occurredAt } }", id=memory["id"])

    assert answer.data["memory"]["occurredAt"] == "2031-07-01T13:00:00+00:00"


async def test_a_memory_fades_along_the_instants_it_is_asked_for(call: Caller):
    memory = await call.remember("x")
    created = await call("query($id: ID!) { memory(id: $id) { createdAt visibleUntil dreamAt } }", id=memory["id"])
    facts = created.data["memory"]
    start = datetime.fromisoformat(facts["createdAt"])
    ten_days = datetime.fromtimestamp(start.timestamp() + 10 * 86_400, UTC).isoformat()

    answer = await call(
        """query($id: ID!, $later: DateTime!, $end: DateTime!, $dream: DateTime!) { memory(id: $id) {
          strength(at: $later) retention(at: $later) relevance(at: $later) tier(at: $later) hidden(at: $later)
          end: hidden(at: $end) dream: state(at: $dream) before: strength(at: "2001-01-01")
          activation(at: $dream) } }""",
        id=memory["id"],
        later=ten_days,
        end=facts["visibleUntil"],
        dream=facts["dreamAt"],
    )

    shown = answer.data["memory"]
    assert shown["strength"] == pytest.approx(0.5, abs=1e-4)
    assert shown["retention"] == pytest.approx(0.5, abs=1e-4)
    assert shown["relevance"] == pytest.approx(0.85)
    assert (shown["tier"], shown["hidden"], shown["end"], shown["dream"]) == ("WARM", False, True, "DREAM")
    assert shown["before"] == 1.0
    assert shown["activation"] == pytest.approx(-2.5, abs=1e-3)


async def test_what_is_pinned_never_fades_and_has_no_tier(call: Caller):
    memory = await call.remember("x", pinned=True)

    answer = await call(
        """query($id: ID!) { memory(id: $id) { visibleUntil dreamAt archiveAt tier
          hidden(at: "2900-01-01T00:00:00Z") relevance(at: "2900-01-01T00:00:00Z") } }""",
        id=memory["id"],
    )

    assert answer.data["memory"] == {
        "visibleUntil": None,
        "dreamAt": None,
        "archiveAt": None,
        "tier": None,
        "hidden": False,
        "relevance": 1.0,
    }


async def test_an_instant_of_a_computed_field_is_checked_too(call: Caller):
    memory = await call.remember("x")

    bad = await call(
        "query($id: ID!, $at: DateTime) { memory(id: $id) { strength(at: $at) } }", id=memory["id"], at="soon"
    )
    outside = await call(
        'query($id: ID!) { memory(id: $id) { strength(at: "0001-01-01T00:00:00+14:00") } }', id=memory["id"]
    )

    assert (bad.code, bad.fields) == ("BAD_USER_INPUT", ["at"])
    assert (outside.code, outside.fields) == ("BAD_USER_INPUT", ["at"])


async def test_settings_and_stats_speak_the_words_of_the_enums(call: Caller):
    await call.remember("x")
    await call.remember("y", kind="SEMANTIC", pinned=True)

    answer = await call("{ settings { timeZone tierProfile } stats { memories byKind byState byTier hidden } }")

    assert answer.data == {
        "settings": {"timeZone": "UTC", "tierProfile": "default"},
        "stats": {
            "memories": 2,
            "byKind": {"EPISODIC": 1, "SEMANTIC": 1},
            "byState": {"CORE": 2},
            "byTier": {"ACTIVE": 1, "PINNED": 1},
            "hidden": 0,
        },
    }
