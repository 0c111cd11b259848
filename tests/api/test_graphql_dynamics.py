"""What time, use and belief do to a memory, through GraphQL alone."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.memory import Emotion
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder, ScriptedTagger
from tests.api.caller import Caller

MOVING = "The lighthouse keeper waved"
TOUCH = "mutation($ids: [ID!]!, $at: DateTime) { touch(ids: $ids, at: $at) { accessCount spacedAccessCount } }"
CHANGES = (
    "query($id: ID!) { memory(id: $id) { changes { edges { node { action field before after delta reason } } } } }"
)


@pytest.fixture
async def services(settings: Settings, clock: FixedClock) -> AsyncIterator[Services]:
    """Services on a clock that stands still, which let a touch lie ahead of it; one text moves, all others do not."""
    ahead = replace(settings, decay=replace(settings.decay, allow_future=True))
    tagger = ScriptedTagger({MOVING: Emotion(arousal=0.5)})
    async with open_services(ahead, embedder=HashingEmbedder(), tagger=tagger, clock=clock) as services:
        yield services


def after(clock: FixedClock, **time: float) -> str:
    return (clock.now() + timedelta(**time)).isoformat()


async def changes(call: Caller, memory_id: str) -> list[dict[str, Any]]:
    answer = await call(CHANGES, id=memory_id)
    return [edge["node"] for edge in answer.data["memory"]["changes"]["edges"]]


async def test_a_calm_memory_fades_by_half_in_ten_days_and_from_view_in_ninety(call: Caller, clock: FixedClock):
    memory = await call.remember("The desk is oak")

    answer = await call(
        """query($id: ID!, $tenDays: DateTime, $eightDays: DateTime) { memory(id: $id) {
          strength(at: $tenDays) retention(at: $tenDays) tier(at: $eightDays) visibleUntil } }""",
        id=memory["id"],
        tenDays=after(clock, hours=240),
        eightDays=after(clock, days=8),
    )

    shown = answer.data["memory"]
    assert (shown["strength"], shown["retention"]) == (pytest.approx(0.5), pytest.approx(0.5))
    assert shown["tier"] == "WARM"
    hidden_at = datetime.fromisoformat(shown["visibleUntil"])
    assert hidden_at - clock.now() == pytest.approx(timedelta(days=90), abs=timedelta(minutes=1))


async def test_a_moving_memory_fades_more_slowly(call: Caller, clock: FixedClock):
    memory = await call.remember(MOVING)

    answer = await call(
        "query($id: ID!, $at: DateTime) { memory(id: $id) { strength(at: $at) visibleUntil emotion { arousal } } }",
        id=memory["id"],
        at=after(clock, hours=240),
    )

    shown = answer.data["memory"]
    assert shown["emotion"] == {"arousal": 0.5}
    assert shown["strength"] == pytest.approx(0.5556, abs=1e-4)
    hidden_at = datetime.fromisoformat(shown["visibleUntil"])
    assert hidden_at - clock.now() == pytest.approx(timedelta(hours=2_700), rel=1e-3)


async def test_a_use_after_a_day_strengthens_by_the_numbers_of_v06(call: Caller, clock: FixedClock):
    memory = await call.remember("The desk is oak")
    a_day_on = after(clock, hours=24)

    before = await call(
        "query($id: ID!, $at: DateTime) { memory(id: $id) { strength(at: $at) } }", id=memory["id"], at=a_day_on
    )
    touched = await call(TOUCH, ids=[memory["id"]], at=a_day_on)
    used = await call(
        """query($id: ID!, $at: DateTime) { memory(id: $id) {
          strength(at: $at) state lastAccessedAt labileUntil } }""",
        id=memory["id"],
        at=a_day_on,
    )

    assert before.data["memory"]["strength"] == pytest.approx(0.9091, abs=1e-4)
    assert touched.data["touch"] == [{"accessCount": 1, "spacedAccessCount": 1}]
    assert used.data["memory"] == {
        "strength": pytest.approx(0.9608, abs=1e-4),
        "state": "CORE",
        "lastAccessedAt": a_day_on,
        "labileUntil": after(clock, hours=30),
    }
    [use, _] = await changes(call, memory["id"])
    assert (use["action"], use["before"]["base_strength"]) == ("touch", 1.0)
    assert use["after"]["base_strength"] == pytest.approx(0.9608, abs=1e-4)


async def test_many_uses_at_one_instant_count_once_and_uses_apart_count_each(call: Caller, clock: FixedClock):
    memory = await call.remember("The desk is oak")

    await asyncio.gather(*(call(TOUCH, ids=[memory["id"]], at=after(clock, hours=1)) for _ in range(50)))
    at_once = await call("query($id: ID!) { memory(id: $id) { accessCount } }", id=memory["id"])
    for number in range(1, 11):
        apart = await call(TOUCH, ids=[memory["id"]], at=after(clock, hours=1, seconds=61 * number))

    assert at_once.data["memory"]["accessCount"] == 1
    assert apart.data["touch"][0]["accessCount"] == 11
    assert len(await changes(call, memory["id"])) == 12


async def test_a_use_that_comes_too_late_changes_nothing(call: Caller, clock: FixedClock):
    memory = await call.remember("The desk is oak")
    await call(TOUCH, ids=[memory["id"]], at=after(clock, hours=2))

    late = await call(TOUCH, ids=[memory["id"]], at=after(clock, hours=1))

    assert late.data["touch"] == [{"accessCount": 1, "spacedAccessCount": 0}]


async def test_a_use_of_several_needs_all_of_them(call: Caller, call_as_other: Caller):
    mine, foreign = await call.remember("The desk is oak"), await call_as_other.remember("The desk is pine")

    refused = await call(TOUCH, ids=[mine["id"], foreign["id"]])

    assert refused.code == "NOT_FOUND"
    assert len(await changes(call, mine["id"])) == 1


async def test_looking_at_a_memory_counts_only_when_asked_to(call: Caller, clock: FixedClock):
    memory = await call.remember("The desk is oak")
    look = "query($id: ID!, $counts: Boolean) { memory(id: $id, reinforce: $counts) { accessCount } }"
    clock.advance(timedelta(hours=1))

    plain = await call(look, id=memory["id"])
    counted = await call(look, id=memory["id"], counts=True)

    assert plain.data["memory"]["accessCount"] == 0
    assert counted.data["memory"]["accessCount"] == 1
    assert [each["action"] for each in await changes(call, memory["id"])] == ["access", "add"]


async def test_a_recall_counts_unless_it_is_told_not_to(call: Caller, services: Services, clock: FixedClock):
    memory = await call.remember("The desk is oak")
    count = "query($id: ID!) { memory(id: $id) { accessCount } }"
    clock.advance(timedelta(hours=1))

    await call.recalled("desk", reinforce=False)
    await call.recalled("desk", knownAt=clock.now().isoformat())
    await services.aftermath.settled()
    idle = await call(count, id=memory["id"])
    await call.recalled("desk")
    await services.aftermath.settled()
    used = await call(count, id=memory["id"])

    assert (idle.data["memory"]["accessCount"], used.data["memory"]["accessCount"]) == (0, 1)


async def test_confirming_and_doubting_move_belief_and_say_so(call: Caller, clock: FixedClock):
    memory = await call.remember("The desk is oak", confidence=0.6)
    clock.advance(timedelta(hours=1))
    judge = 'mutation($id: ID!) {{ {verb}(id: $id, arousal: 0.5, reason: "{reason}") {{ confidence confirmed }} }}'

    doubted = await call(judge.format(verb="doubt", reason="it looks like pine"), id=memory["id"])
    confirmed = await call(judge.format(verb="confirm", reason="I asked"), id=memory["id"])

    low, high = doubted.data["doubt"]["confidence"], confirmed.data["confirm"]["confidence"]
    assert low < 0.6
    assert high > low
    assert confirmed.data["confirm"]["confirmed"] is True
    shown = ("action", "field", "before", "after", "reason")
    rows = [tuple(each[name] for name in shown) for each in await changes(call, memory["id"])]
    assert [row for row in rows if row[1] == "confidence"] == [
        ("confirm", "confidence", low, high, "I asked"),
        ("weaken", "confidence", 0.6, low, "it looks like pine"),
    ]
    assert [row[0] for row in rows] == ["confirm", "reinforce", "weaken", "add"]


async def test_a_change_is_a_node_of_its_user_alone(call: Caller, call_as_other: Caller):
    memory = await call.remember("The desk is oak")
    answer = await call("query($id: ID!) { memory(id: $id) { changes { edges { node { id } } } } }", id=memory["id"])
    [edge] = answer.data["memory"]["changes"]["edges"]
    node = "query($id: ID!) { node(id: $id) { __typename id ... on Change { action actor } } }"

    mine, foreign = await call(node, id=edge["node"]["id"]), await call_as_other(node, id=edge["node"]["id"])

    assert mine.data["node"] == {"__typename": "Change", "id": edge["node"]["id"], "action": "add", "actor": "user"}
    assert foreign.code == "NOT_FOUND"


async def test_arousal_of_a_judgement_lies_between_nought_and_one(call: Caller):
    memory = await call.remember("The desk is oak")

    refused = await call("mutation($id: ID!) { confirm(id: $id, arousal: 1.5) { id } }", id=memory["id"])

    assert (refused.code, refused.fields) == ("BAD_USER_INPUT", ["arousal"])


async def test_a_pin_keeps_a_memory_in_view_until_it_is_taken_off(call: Caller, clock: FixedClock):
    memory = await call.remember("The desk is oak")
    shown = "{ pinned visibleUntil dreamAt tier }"

    pinned = await call(f"mutation($id: ID!) {{ pin(id: $id) {shown} }}", id=memory["id"])
    freed = await call(f"mutation($id: ID!) {{ unpin(id: $id) {shown} }}", id=memory["id"])

    assert pinned.data["pin"] == {"pinned": True, "visibleUntil": None, "dreamAt": None, "tier": None}
    assert (freed.data["unpin"]["pinned"], freed.data["unpin"]["tier"]) == (False, "ACTIVE")
    assert freed.data["unpin"]["visibleUntil"] is not None
    assert [each["action"] for each in await changes(call, memory["id"])] == ["unpin", "pin", "add"]


async def test_a_correction_keeps_the_id_and_the_old_text_as_a_version(call: Caller, clock: FixedClock):
    memory = await call.remember("The desk is oak")
    began = clock.now().isoformat()
    clock.advance(timedelta(hours=1))

    corrected = await call(
        """mutation($id: ID!) { correct(id: $id, text: "The desk is pine", reason: "I looked") {
          id text source confirmed versions { text from until reason } } }""",
        id=memory["id"],
    )

    assert corrected.data["correct"] == {
        "id": memory["id"],
        "text": "The desk is pine",
        "source": "MANUAL_EDIT",
        "confirmed": True,
        "versions": [
            {"text": "The desk is oak", "from": began, "until": clock.now().isoformat(), "reason": "I looked"}
        ],
    }
    assert await call.recalled("pine desk") == ["The desk is pine"]


@pytest.mark.parametrize("text", ["", "x" * 20_001, "a zero \x00 here"])
async def test_a_correction_must_be_a_text(call: Caller, text: str):
    memory = await call.remember("The desk is oak")

    refused = await call(
        "mutation($id: ID!, $text: String!) { correct(id: $id, text: $text) { id } }", id=memory["id"], text=text
    )

    assert (refused.code, refused.fields) == ("BAD_USER_INPUT", ["text"])
    assert await call.texts() == ["The desk is oak"]


async def test_lists_show_what_was_believed_at_an_instant(call: Caller, clock: FixedClock):
    await call.remember("The desk is oak", validAt="2030-01-01T00:00:00Z", invalidAt="2031-01-01T00:00:00Z")
    noon = clock.now().isoformat()
    clock.advance(timedelta(hours=1))
    await call.remember("The lamp is brass", validAt="2029-01-01T00:00:00Z")

    then = await call.texts(asOf="2030-06-01T00:00:00Z")

    assert then == ["The desk is oak", "The lamp is brass"]
    assert await call.texts(asOf="2029-06-01T00:00:00Z") == ["The lamp is brass"]
    assert await call.texts(knownAt=noon, asOf="2030-06-01T00:00:00Z") == ["The desk is oak"]


async def test_a_list_can_be_asked_for_tiers_and_never_gives_what_is_pinned(call: Caller, clock: FixedClock):
    await call.remember("The desk is oak")
    await call.remember("The lamp is brass", pinned=True)

    fresh = await call.texts(tiers=["ACTIVE"])
    clock.advance(timedelta(days=8))

    assert fresh == ["The desk is oak"]
    assert (await call.texts(tiers=["ACTIVE"]), await call.texts(tiers=["WARM"])) == ([], ["The desk is oak"])
    assert await call.texts(tiers=["WARM", "COLD"]) == ["The desk is oak"]
    assert (await call("{ memories(filter: { tiers: [] }) { totalCount } }")).fields == ["tiers"]


async def test_days_that_a_text_names_are_reckoned_from_when_it_was_told(call: Caller, clock: FixedClock):
    memory = await call.remember("We sailed yesterday", occurredAt="2031-04-10T08:00:00Z")

    answer = await call(
        "query($id: ID!) { memory(id: $id) { datesToldAt namedDates { text firstDay lastDay } } }", id=memory["id"]
    )

    assert answer.data["memory"] == {
        "datesToldAt": "2031-04-10T08:00:00+00:00",
        "namedDates": [{"text": "yesterday", "firstDay": "2031-04-09", "lastDay": "2031-04-09"}],
    }


async def test_a_users_zone_and_profile_decide_how_dates_and_tiers_are_read(call: Caller, clock: FixedClock):
    memory = await call.remember("The desk is oak")

    changed = await call(
        'mutation { updateSettings(timeZone: "Asia/Tokyo", tierProfile: "sales") { timeZone tierProfile } }'
    )
    answer = await call(
        "query($id: ID!, $at: DateTime) { memory(id: $id) { tier(at: $at) } }", id=memory["id"], at=after(clock, days=4)
    )
    later = await call.remember("x", occurredAt="2031-06-01T09:00:00")
    shown = await call("query($id: ID!) { memory(id: $id) { occurredAt } }", id=later["id"])
    refused = await call('mutation { updateSettings(timeZone: "Mars/Base", tierProfile: "slow") { timeZone } }')

    assert changed.data["updateSettings"] == {"timeZone": "Asia/Tokyo", "tierProfile": "sales"}
    assert answer.data["memory"]["tier"] == "WARM"
    assert shown.data["memory"]["occurredAt"] == "2031-06-01T00:00:00+00:00"
    assert sorted(refused.fields) == ["tierProfile", "timeZone"]
