"""Feedback and context through GraphQL."""

from tests.api.caller import RECALL, Caller

FEEDBACK = "mutation($input: FeedbackInput!) { feedback(input: $input) { id accessCount } }"
CONTEXT = "query($tokenBudget: Int, $bucket: String) { agentContext(tokenBudget: $tokenBudget, bucket: $bucket) }"


async def answered(call: Caller) -> tuple[str, list[str]]:
    """The receipt of an answer that did not reinforce, and the ids of its hits."""
    answer = await call(RECALL, input={"query": "office desk", "reinforce": False})
    recall = answer.data["recall"]
    return recall["receiptId"], [hit["memory"]["id"] for hit in recall["hits"]]


async def test_feedback_right_after_the_answer_counts_what_was_of_use(call: Caller):
    await call.remember("The desk in the office is oak")
    receipt, [desk] = await answered(call)

    first = await call(FEEDBACK, input={"receiptId": receipt, "used": [desk]})
    again = await call(FEEDBACK, input={"receiptId": receipt, "used": [desk], "misleading": [desk]})

    assert first.data["feedback"] == [{"id": desk, "accessCount": 1}]
    assert again.data["feedback"] == [{"id": desk, "accessCount": 1}]


async def test_an_id_that_is_no_hit_is_named(call: Caller):
    await call.remember("The desk in the office is oak")
    receipt, _ = await answered(call)

    answer = await call(FEEDBACK, input={"receiptId": receipt, "used": ["no-such-hit"]})

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", ["used"])
    assert "no-such-hit" in answer.error["message"]


async def test_another_users_receipt_is_not_found(call: Caller, call_as_other: Caller):
    await call.remember("The desk in the office is oak")
    receipt, [desk] = await answered(call)

    foreign = await call_as_other(FEEDBACK, input={"receiptId": receipt, "used": [desk]})
    unknown = await call(FEEDBACK, input={"receiptId": "no-such-receipt"})

    assert (foreign.code, unknown.code) == ("NOT_FOUND", "NOT_FOUND")


async def test_an_agent_is_told_what_it_should_know(call: Caller, call_as_other: Caller):
    await call.remember("Never send prices by mail", pinned=True, bucket="Shop")

    told = await call(CONTEXT, bucket="Shop")
    elsewhere = await call(CONTEXT, bucket="Boat")
    foreign = await call_as_other(CONTEXT)

    assert "Never send prices by mail" in told.data["agentContext"]
    assert (elsewhere.data["agentContext"], foreign.data["agentContext"]) == ("", "")


async def test_a_context_without_room_for_anything_is_refused(call: Caller):
    answer = await call(CONTEXT, tokenBudget=0)

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", ["tokenBudget"])
