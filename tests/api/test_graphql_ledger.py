"""What takes the place of what, through GraphQL alone: decisions, successions, curation, contradictions."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.api.caller import Answered, Caller

DECIDE = """
mutation($input: DecideInput!) { decide(input: $input) {
  memory { id text kind decision { reasoning domain topicKey outcome status decidedAt } }
  earlier { id } superseded { id decision { status } } } }
"""
WHY = """
query($topic: String!, $domain: String, $asOf: DateTime, $knownAt: DateTime) {
  why(topic: $topic, domain: $domain, asOf: $asOf, knownAt: $knownAt) {
    domain topicKey steps { position current supersededAt reason memory { id text } } } }
"""
CHAIN = "query($id: ID!) { supersessionChain(id: $id) { position current reason memory { text } } }"
SUPERSEDE = """
mutation($id: ID!, $by: ID!, $at: DateTime) { supersede(id: $id, by: $by, at: $at, reason: "moved") {
  id invalidAt supersededBy { id } } }
"""
REMEMBER = """
mutation($input: RememberInput!) {
  remember(input: $input) { operation memory { id text versions { text } } superseded { id } } }
"""


@pytest.fixture
async def services(settings: Settings, clock: FixedClock) -> AsyncIterator[Services]:
    """Services on a clock that stands still until it is moved."""
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as services:
        yield services


async def decide(call: Caller, text: str, **fields: Any) -> dict[str, Any]:
    answer = await call(DECIDE, input={"text": text, **fields})
    return answer.data["decide"]


async def said(call: Caller, text: str, **fields: Any) -> dict[str, Any]:
    answer = await call(REMEMBER, input={"text": text, "kind": "SEMANTIC", **fields})
    return answer.data["remember"]


async def three_databases(call: Caller, clock: FixedClock) -> list[str]:
    """Three decisions on one topic, ten days apart; their ids."""
    ids = []
    for text, reasoning in (
        ("We use SQLite", "it is there"),
        ("We use MySQL", "SQLite locks"),
        ("We use Neo4j", "it is a graph"),
    ):
        decided = await decide(call, text, reasoning=reasoning, domain="Engineering", topicKey="Database")
        ids.append(decided["memory"]["id"])
        clock.advance(timedelta(days=10))
    return ids


def steps(answer: Answered) -> list[tuple[str, bool]]:
    [chain] = answer.data["why"]
    return [(step["memory"]["text"], step["current"]) for step in chain["steps"]]


async def test_a_decision_shows_what_it_has_beside_its_text(call: Caller, clock: FixedClock):
    decided = await decide(call, "We use SQLite", reasoning="it is there", topicKey="Database")

    assert decided["memory"]["kind"] == "DECISION"
    assert decided["memory"]["decision"] == {
        "reasoning": "it is there",
        "domain": "general",
        "topicKey": "database",
        "outcome": "PENDING",
        "status": "ACTIVE",
        "decidedAt": clock.now().isoformat(),
    }
    assert (decided["earlier"], decided["superseded"]) == ([], [])


async def test_a_decision_superseded_twice_is_a_chain_of_three_with_one_current(call: Caller, clock: FixedClock):
    ids = await three_databases(call, clock)

    why = await call(WHY, topic="database")
    chains = [await call(CHAIN, id=each) for each in ids]

    assert steps(why) == [("We use SQLite", False), ("We use MySQL", False), ("We use Neo4j", True)]
    [chain] = why.data["why"]
    assert [step["position"] for step in chain["steps"]] == [0, 1, 2]
    assert [step["reason"] for step in chain["steps"]] == ["SQLite locks", "it is a graph", None]
    assert [step["supersededAt"] is None for step in chain["steps"]] == [False, False, True]
    assert chains[0].data == chains[1].data == chains[2].data
    assert [step["memory"]["text"] for step in chains[0].data["supersessionChain"]] == [
        "We use SQLite", "We use MySQL", "We use Neo4j"
    ]  # fmt: skip


async def test_why_as_of_a_time_before_the_second_supersession_shows_the_second_as_current(
    call: Caller, clock: FixedClock
):
    start = clock.now()
    await three_databases(call, clock)
    between = (start + timedelta(days=15)).isoformat()

    in_the_world = await call(WHY, topic="database", asOf=between)
    as_known = await call(WHY, topic="database", knownAt=between)

    assert steps(in_the_world) == [("We use SQLite", False), ("We use MySQL", True)]
    assert steps(as_known) == [("We use SQLite", False), ("We use MySQL", True)]


async def test_a_topic_is_found_by_words_of_its_decisions_too(call: Caller, clock: FixedClock):
    await three_databases(call, clock)
    await decide(call, "Lunch is at noon", topicKey="lunch")

    by_words, elsewhere = await call(WHY, topic="which graph"), await call(WHY, topic="database", domain="cooking")

    assert steps(by_words)[-1] == ("We use Neo4j", True)
    assert all(chain["domain"] != "Engineering" or chain["topicKey"] == "database" for chain in elsewhere.data["why"])


async def test_each_memory_knows_what_it_replaced_and_what_replaced_it(call: Caller, clock: FixedClock):
    await three_databases(call, clock)

    answer = await call(
        """{ decisions { totalCount edges { node { text supersededBy { text } supersedes { text }
          supersessionChain { current } decision { status } } } } }"""
    )

    assert answer.data["decisions"]["totalCount"] == 3
    shown = [edge["node"] for edge in answer.data["decisions"]["edges"]]
    assert [(each["text"], each["supersededBy"], each["supersedes"], each["decision"]["status"]) for each in shown] == [
        ("We use Neo4j", None, [{"text": "We use MySQL"}], "ACTIVE"),
        ("We use MySQL", {"text": "We use Neo4j"}, [{"text": "We use SQLite"}], "SUPERSEDED"),
        ("We use SQLite", {"text": "We use MySQL"}, [], "SUPERSEDED"),
    ]
    assert [len(each["supersessionChain"]) for each in shown] == [3, 3, 3]


async def test_decisions_are_listed_by_domain_topic_status_and_instant(call: Caller, clock: FixedClock):
    start = clock.now()
    await three_databases(call, clock)
    await decide(call, "Lunch is at noon", domain="office")
    listed = """query(
        $domain: String, $topic: String, $status: DecisionStatus, $asOf: DateTime, $first: Int, $after: String
      ) { decisions(domain: $domain, topic: $topic, status: $status, asOf: $asOf, first: $first, after: $after) {
        totalCount pageInfo { hasNextPage endCursor } edges { node { text } } } }"""

    async def texts(**conditions: Any) -> list[str]:
        answer = await call(listed, **conditions)
        found = [edge["node"]["text"] for edge in answer.data["decisions"]["edges"]]
        assert answer.data["decisions"]["totalCount"] == len(found)
        return found

    assert await texts(domain="engineering", status="ACTIVE") == ["We use Neo4j"]
    assert await texts(domain="ENGINEERING", topic="database", status="SUPERSEDED") == ["We use MySQL", "We use SQLite"]
    then = (start + timedelta(days=5)).isoformat()
    assert await texts(asOf=then, status="ACTIVE") == ["We use SQLite"]
    page = (await call(listed, first=1)).data["decisions"]
    assert (page["totalCount"], page["pageInfo"]["hasNextPage"]) == (4, True)
    on = (await call(listed, first=3, after=page["pageInfo"]["endCursor"])).data["decisions"]
    assert [edge["node"]["text"] for edge in on["edges"]] == ["We use Neo4j", "We use MySQL", "We use SQLite"]


async def test_what_came_of_a_decision_is_recorded_and_only_of_a_decision(call: Caller):
    decided, memory = await decide(call, "We use SQLite"), await call.remember("The desk is oak")
    record = """mutation($id: ID!) { recordOutcome(id: $id, outcome: FAILED, reason: "it locked") {
      decision { outcome } changes(first: 1) { edges { node { action before after reason } } } } }"""

    recorded, refused = await call(record, id=decided["memory"]["id"]), await call(record, id=memory["id"])

    assert recorded.data["recordOutcome"]["decision"] == {"outcome": "FAILED"}
    [row] = recorded.data["recordOutcome"]["changes"]["edges"]
    assert row["node"] == {"action": "outcome", "before": "pending", "after": "failed", "reason": "it locked"}
    assert (refused.code, refused.fields) == ("BAD_USER_INPUT", ["id"])


async def test_only_a_current_decision_can_be_superseded_by_name(call: Caller, clock: FixedClock):
    first, *_ = await three_databases(call, clock)

    refused = await call(DECIDE, input={"text": "We use files", "supersedes": first})
    unknown = await call(DECIDE, input={"text": "We use files", "supersedes": "nobody"})

    assert (refused.code, unknown.code) == ("CONFLICT", "NOT_FOUND")
    assert await call.count() == 3


async def test_a_superseded_memory_ends_where_the_new_one_begins_and_takes_no_second_successor(
    call: Caller, clock: FixedClock
):
    old, new, late = [await call.remember(text) for text in ("The key is here", "The key is there", "The key is lost")]

    superseded = await call(SUPERSEDE, id=old["id"], by=new["id"])
    second = await call(SUPERSEDE, id=old["id"], by=late["id"])
    cycle = await call(SUPERSEDE, id=new["id"], by=old["id"])
    itself = await call(SUPERSEDE, id=late["id"], by=late["id"])

    assert superseded.data["supersede"] == {
        "id": old["id"],
        "invalidAt": clock.now().isoformat(),
        "supersededBy": {"id": new["id"]},
    }
    assert (second.code, cycle.code) == ("CONFLICT", "CONFLICT")
    assert (itself.code, itself.fields) == ("BAD_USER_INPUT", ["by"])
    assert sorted(await call.recalled("key")) == ["The key is lost", "The key is there"]


async def test_nothing_ends_before_it_began(call: Caller):
    old, new = [await call.remember(text) for text in ("The key is here", "The key is there")]

    refused = await call(SUPERSEDE, id=old["id"], by=new["id"], at="2001-01-01T00:00:00Z")

    assert (refused.code, refused.fields) == ("BAD_USER_INPUT", ["at"])


async def test_a_statement_is_new_known_richer_another_value_or_a_denial(call: Caller, clock: FixedClock):
    mast = "The mast of the old boat at the pier is {} m tall"
    first = await said(call, mast.format(12))

    known = await said(call, mast.format(12))
    richer = await said(call, mast.format(12) + " and white")
    clock.advance(timedelta(days=1))
    newer = await said(call, "The mast of the old boat at the pier is 14 m tall and white")
    open_mill = await said(call, "The mill by the river is open")
    clock.advance(timedelta(days=1))
    denial = await said(call, "The mill by the river is not open")

    assert (first["operation"], known["operation"]) == ("ADD", "NONE")
    assert known["memory"]["id"] == first["memory"]["id"]
    assert (richer["operation"], richer["memory"]["id"]) == ("UPDATE", first["memory"]["id"])
    assert richer["memory"]["versions"] == [{"text": mast.format(12)}]
    assert newer["operation"] == "UPDATE"
    assert newer["memory"]["id"] != first["memory"]["id"]
    assert [each["id"] for each in newer["superseded"]] == [first["memory"]["id"]]
    assert denial["operation"] == "DELETE"
    assert [each["id"] for each in denial["superseded"]] == [open_mill["memory"]["id"]]


async def test_a_statement_that_is_not_curated_stands_beside_what_is_known(call: Caller):
    await said(call, "The mill by the river is open")

    denial = await said(call, "The mill by the river is not open", curate=False)

    assert (denial["operation"], denial["superseded"]) == ("ADD", [])
    assert len(await call.texts(superseded=False)) == 2


async def test_both_of_two_episodes_that_exclude_each_other_stay(call: Caller):
    await call.remember("The mill by the river is open")

    denial = await call.remember("The mill by the river is not open")

    assert denial["text"] == "The mill by the river is not open"
    assert len(await call.texts(superseded=False, expired=False)) == 2


async def test_memories_that_exclude_each_other_are_listed(call: Caller, clock: FixedClock):
    await said(call, "The mill by the river is open")
    clock.advance(timedelta(hours=1))
    await said(call, "The mill by the river is not open")
    listed = """query($settled: Boolean) { contradictions(settled: $settled) { edges { cursor node {
      kind settled at older { text } newer { text } } } } }"""

    found, open_ones = await call(listed, settled=True), await call(listed, settled=False)

    assert [edge["node"] for edge in found.data["contradictions"]["edges"]] == [
        {
            "kind": "negate",
            "settled": True,
            "at": clock.now().isoformat(),
            "older": {"text": "The mill by the river is open"},
            "newer": {"text": "The mill by the river is not open"},
        }
    ]
    assert open_ones.data["contradictions"]["edges"] == []


async def test_another_user_can_do_nothing_with_an_id(call: Caller, call_as_other: Caller):
    mine = (await decide(call, "We use SQLite", topicKey="database"))["memory"]["id"]
    other = (await call_as_other.remember("x"))["id"]
    attempts = [
        await call_as_other(CHAIN, id=mine),
        await call_as_other(SUPERSEDE, id=mine, by=other),
        await call_as_other(SUPERSEDE, id=other, by=mine),
        await call_as_other(DECIDE, input={"text": "We use files", "supersedes": mine}),
        *[
            await call_as_other(f"mutation($id: ID!) {{ {verb}(id: $id{more}) {{ id }} }}", id=mine)
            for verb, more in (
                ("confirm", ""), ("doubt", ""), ("pin", ""), ("unpin", ""), ("correct", ', text: "x"'),
                ("recordOutcome", ", outcome: FAILED"),
            )
        ],
    ]  # fmt: skip

    assert {answer.code for answer in attempts} == {"NOT_FOUND"}
    assert (await call_as_other(WHY, topic="database")).data["why"] == []
    assert (await call_as_other("{ decisions { totalCount } }")).data["decisions"]["totalCount"] == 0
