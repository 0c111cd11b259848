"""Recall through GraphQL: reasons, bounds, and scopes that are kept."""

import pytest

from tests.api.caller import RECALL, Caller


async def test_an_answer_says_why_and_its_parts_add_up_to_the_score(call: Caller):
    for text in ("The desk in the office is oak", "Lunch was soup", "The desk lamp is broken"):
        await call.remember(text, sessionId="monday", speaker="Bruno")

    answer = await call(
        """query($input: RecallInput!) { recall(input: $input) {
          receiptId k tookMs
          hits { rank score memory { text lane }
            why { vectorRank contextVectorRank textRank contextTextRank text
              parts { name value weight contribution } } }
          lanes { lane hits { rank } } } }""",
        input={"query": "which wood is the office desk", "k": 3},
    )

    recall = answer.data["recall"]
    best = recall["hits"][0]
    assert recall["k"] == 3
    assert recall["receiptId"]
    assert recall["tookMs"] > 0
    assert best["memory"]["text"] == "The desk in the office is oak"
    assert best["why"]["textRank"] == 1
    assert "no. 1 by words" in best["why"]["text"]
    assert [hit["rank"] for hit in recall["hits"]] == list(range(1, len(recall["hits"]) + 1))
    for hit in recall["hits"]:
        assert sum(part["contribution"] for part in hit["why"]["parts"]) == pytest.approx(hit["score"])
    assert [section["lane"] for section in recall["lanes"]] == ["SHORT_TERM"]
    assert len(recall["lanes"][0]["hits"]) == len(recall["hits"])


async def test_words_about_another_person_count_less_and_the_reason_says_so(call: Caller):
    await call.remember("My bicycle has a flat tyre", speaker="Ana", wait=True)
    await call.remember("My bicycle has a new bell", speaker="Bruno", wait=True)

    answer = await call(
        """query($input: RecallInput!) { recall(input: $input) {
          hits { memory { speaker } why { text parts { name value } } } } }""",
        input={"query": "What about Bruno's bicycle?"},
    )

    hits = answer.data["recall"]["hits"]
    assert [hit["memory"]["speaker"] for hit in hits] == ["Bruno", "Ana"]
    assert {"name": "subject", "value": 0.5} in hits[1]["why"]["parts"]
    assert "about someone else" in hits[1]["why"]["text"]


@pytest.mark.parametrize("blank", ["", "   ", "\u200b"])
async def test_a_blank_question_is_refused(call: Caller, blank: str):  # case 3
    await call.remember("Rehearsal moved to 18:40")

    answer = await call(RECALL, input={"query": blank})

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", ["query"])


async def test_bare_punctuation_gets_an_ordinary_answer(call: Caller):  # case 3
    await call.remember("Rehearsal moved to 18:40")

    answer = await call(RECALL, input={"query": "?!", "k": 5})

    assert answer.data["recall"]["k"] == 5


@pytest.mark.parametrize(
    "typed", ["/rehearsal when?", "rehearsal AND", "title:rehearsal (live", '"rehearsal', "-rehearsal~"]
)
async def test_what_a_person_types_is_only_words(call: Caller, typed: str):
    await call.remember("Rehearsal moved to 18:40")

    assert await call.recalled(typed) == ["Rehearsal moved to 18:40"]


async def test_a_bucket_bounds_the_search(call: Caller):  # case 16
    await call.remember("The rope hangs in the pantry", bucket="Kitchen")
    await call.remember("The rope lies on deck", bucket="Boat")

    assert await call.recalled("rope", bucket="Boat") == ["The rope lies on deck"]
    assert await call.recalled("rope", buckets=["Boat"]) == ["The rope lies on deck"]
    assert await call.recalled("rope", bucket="Garage") == []
    assert len(await call.recalled("rope", buckets=["Boat", "Kitchen"])) == 2


async def test_a_misspelt_or_doubled_bucket_is_an_error(call: Caller):  # case 16
    misspelt = await call(RECALL, input={"query": "rope", "buckte": "Boat"})
    doubled = await call(RECALL, input={"query": "rope", "bucket": "Boat", "buckets": ["Kitchen"]})
    empty = await call(RECALL, input={"query": "rope", "buckets": []})

    assert (misspelt.code, misspelt.fields) == ("BAD_USER_INPUT", ["buckte"])
    assert (doubled.code, doubled.fields) == ("BAD_USER_INPUT", ["bucket"])
    assert (empty.code, empty.fields) == ("BAD_USER_INPUT", ["buckets"])


async def test_every_bound_of_a_question_is_kept(call: Caller):
    await call.remember(
        "The rope is red",
        kind="SEMANTIC",
        category="CONTEXT",
        lane="LONG_TERM",
        tags=["sea"],
        sessionId="s-1",
        agentId="a-1",
        occurredAt="2031-05-01T00:00:00Z",
        people=["Ana"],
        entities=["Sea Star"],
        wait=True,
    )
    bounds = [
        ({"kinds": ["SEMANTIC"]}, {"kinds": ["EPISODIC"]}),
        ({"categories": ["CONTEXT"]}, {"categories": ["OTHER"]}),
        ({"lanes": ["LONG_TERM"]}, {"lanes": ["MID_TERM"]}),
        ({"tags": ["sea"]}, {"tags": ["land"]}),
        ({"sessionId": "s-1"}, {"sessionId": "s-2"}),
        ({"agentId": "a-1"}, {"agentId": "a-2"}),
        ({"people": ["ana"]}, {"people": ["Bruno"]}),
        ({"entities": ["sea star"]}, {"entities": ["Blue Harbour"]}),
        ({"occurredFrom": "2031-04-30T00:00:00Z"}, {"occurredFrom": "2031-05-02T00:00:00Z"}),
        ({"occurredUntil": "2031-05-02T00:00:00Z"}, {"occurredUntil": "2031-04-30T00:00:00Z"}),
    ]

    for holds, fails in bounds:
        assert await call.recalled("rope", **holds) == ["The rope is red"], holds
        assert await call.recalled("rope", **fails) == [], fails
