"""Recall through GraphQL: reasons, bounds, and scopes that are kept."""

import pytest

from tests.api.caller import RECALL, Caller


async def test_an_answer_says_why_and_its_parts_add_up_to_the_score(call: Caller):
    for text in ("The desk in the office is oak", "Lunch was soup", "The desk lamp is broken"):
        await call.remember(text, sessionId="monday", speaker="Bruno")

    answer = await call(
        """query($input: RecallInput!) { recall(input: $input) {
          receiptId k tookMs intent mode complexity tokens
          hits { rank score match memory { text lane }
            why { vectorRank contextVectorRank textRank contextTextRank signalRank graphRank text
              parts { name value weight contribution }
              path { nodeId hop linkType weight gain activation } } }
          overlay { rank }
          lanes { lane hits { rank } } } }""",
        input={"query": "which wood is the office desk", "k": 3},
    )

    recall = answer.data["recall"]
    best = recall["hits"][0]
    assert recall["k"] == 3
    assert recall["receiptId"]
    assert recall["tookMs"] > 0
    assert (recall["mode"], recall["intent"]) == ("CUED", "GENERAL")
    assert 0.0 <= recall["complexity"] <= 1.0
    assert recall["overlay"] == []
    assert all(0.0 <= hit["match"] <= 1.0 for hit in recall["hits"])
    assert best["memory"]["text"] == "The desk in the office is oak"
    assert best["why"]["textRank"] == 1
    assert "no. 1 by words" in best["why"]["text"]
    assert [hit["rank"] for hit in recall["hits"]] == list(range(1, len(recall["hits"]) + 1))
    for hit in recall["hits"]:
        assert sum(part["contribution"] for part in hit["why"]["parts"]) == pytest.approx(hit["score"])
    assert [section["lane"] for section in recall["lanes"]] == ["SHORT_TERM"]
    assert len(recall["lanes"][0]["hits"]) == len(recall["hits"])


async def test_words_about_another_person_count_less_and_the_parts_say_so(call: Caller):
    await call.remember("My bicycle has a flat tyre", speaker="Ana", wait=True)
    await call.remember("My bicycle has a new bell", speaker="Bruno", wait=True)

    answer = await call(
        """query($input: RecallInput!) { recall(input: $input) {
          hits { memory { speaker } why { parts { name } } } } }""",
        input={"query": "What about Bruno's bicycle?"},
    )

    hits = answer.data["recall"]["hits"]
    assert [hit["memory"]["speaker"] for hit in hits] == ["Bruno", "Ana"]
    assert "subject" in {part["name"] for hit in hits for part in hit["why"]["parts"]}


async def test_the_context_is_the_answer_as_fenced_text_within_the_budget(call: Caller):
    for number in range(8):
        await call.remember(f"The desk number {number} is made of oak and stands in the office", speaker="Bruno")

    answer = await call(
        "query($input: RecallInput!) { recall(input: $input) { context tokens hits { memory { text } } } }",
        input={"query": "office desk", "k": 8, "tokenBudget": 100},
    )

    recall = answer.data["recall"]
    told = [hit["memory"]["text"] in recall["context"] for hit in recall["hits"]]
    assert told == sorted(told, reverse=True)  # cut from the end
    assert (told[0], told[-1]) == (True, False)
    assert "Bruno" in recall["context"]
    assert recall["tokens"] == len(recall["context"].encode()) // 4 <= 100


async def test_a_caller_chooses_mode_and_intent(call: Caller):
    await call.remember("The desk in the office is oak")

    answer = await call(
        "query($input: RecallInput!) { recall(input: $input) { mode intent } }",
        input={"query": "office desk", "mode": "DEEP", "intent": "WHY", "seed": 7},
    )

    assert answer.data["recall"] == {"mode": "DEEP", "intent": "WHY"}


async def test_a_question_without_evidence_gets_an_honest_empty_answer(call: Caller):
    await call.remember("The desk in the office is oak")

    assert await call.recalled("volcano eruption", minMatch=0.9) == []
    assert await call.recalled("the desk in the office is oak", minMatch=0.9) == ["The desk in the office is oak"]


async def test_what_is_general_comes_beside_the_bucket_asked_for(call: Caller):
    await call.remember("The desk in the office is oak", bucket="Office")
    await call.remember("I like oak for a desk", kind="SEMANTIC", general=True)
    overlay = "query($input: RecallInput!) { recall(input: $input) { overlay { rank memory { text } } } }"

    beside = await call(overlay, input={"query": "oak desk", "bucket": "Office"})
    without = await call(overlay, input={"query": "oak desk", "bucket": "Office", "general": False})

    assert beside.data["recall"]["overlay"] == [{"rank": 1, "memory": {"text": "I like oak for a desk"}}]
    assert without.data["recall"]["overlay"] == []


@pytest.mark.parametrize(("field", "value"), [("minMatch", 1.5), ("minMatch", -0.1), ("tokenBudget", 0), ("k", 0)])
async def test_a_bound_out_of_range_is_named(call: Caller, field: str, value: float | str):
    answer = await call(RECALL, input={"query": "rope", field: value})

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", [field])


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
