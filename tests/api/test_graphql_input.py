"""Bad input through GraphQL: one clear error that names the field, and nothing stored."""

from typing import Any

import pytest

from tests.api.caller import RECALL, REMEMBER, Caller

BAD_MEMORIES: list[tuple[dict[str, Any], str]] = [
    ({"text": ""}, "text"),
    ({"text": " \u200b\n"}, "text"),
    ({"text": "x" * 20_001}, "text"),
    ({"text": "half a pair \ud800 here"}, "text"),
    ({"text": "a zero \x00 here"}, "text"),
    ({"text": "x", "kind": "RUMOUR"}, "kind"),
    ({"text": "x", "kind": "DECISION"}, "kind"),
    ({"text": "x", "occurredAt": "last Tuesday"}, "occurredAt"),
    ({"text": "x", "occurredAt": "2031-02-30T00:00:00Z"}, "occurredAt"),
    ({"text": "x", "occurredAt": 1_900_000_000}, "occurredAt"),
    ({"text": "x", "validAt": "2031-02-02T00:00:00Z", "invalidAt": "2031-02-01T00:00:00Z"}, "invalidAt"),
    ({"text": "x", "timeZone": "Mars/Base"}, "timeZone"),
    ({"text": "x", "confidence": 1.1}, "confidence"),
    ({"text": "x", "confidence": "high"}, "confidence"),
    ({"text": "x", "metadata": [1, 2]}, "metadata"),
    ({"text": "x", "metadata": {"m": "y" * 9_000}}, "metadata"),
    ({"text": "x", "tags": [str(number) for number in range(21)]}, "tags"),
    ({"text": "x", "general": True, "bucket": "work"}, "bucket"),
    ({"text": "x", "mood": "fine"}, "mood"),
    ({"kind": "EPISODIC"}, "text"),
]


@pytest.mark.parametrize(("memory", "field"), BAD_MEMORIES)
async def test_a_bad_memory_is_one_clear_error_and_nothing_is_stored(call: Caller, memory: dict[str, Any], field: str):
    answer = await call(REMEMBER, input=memory)

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", [field])
    assert field in answer.error["message"]
    assert await call.count() == 0


async def test_every_wrong_field_is_named_at_once(call: Caller):
    by_type = await call(REMEMBER, input={"text": "x", "kind": "RUMOUR", "occurredAt": "soon"})
    by_rule = await call(REMEMBER, input={"text": "", "confidence": 7, "invalidAt": "9999-12-31T00:00:00Z"})

    assert sorted(by_type.fields) == ["kind", "occurredAt"]
    assert by_rule.fields == ["text", "confidence", "invalidAt"]


@pytest.mark.parametrize(
    ("written", "field"),
    [
        ('input: { text: "x", kind: RUMOUR }', "kind"),
        ('input: { text: "x", occurredAt: "soon" }', "occurredAt"),
        ("input: { }", "text"),
        ('input: { text: "x", mood: "fine" }', "mood"),
    ],
)
async def test_the_field_is_named_too_when_values_stand_in_the_query(call: Caller, written: str, field: str):
    answer = await call(f"mutation {{ remember({written}) {{ operation }} }}")

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", [field])
    assert await call.count() == 0


@pytest.mark.parametrize("k", [0, -1, 101, 10**6])
async def test_a_number_of_hits_out_of_range_is_refused(call: Caller, k: int):
    answer = await call(RECALL, input={"query": "rope", "k": k})

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", ["k"])


@pytest.mark.parametrize("bad", ["half \ud800", "zero \x00", "x" * 4_001])
async def test_a_question_that_is_no_text_is_refused(call: Caller, bad: str):
    answer = await call(RECALL, input={"query": bad})

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", ["query"])


@pytest.mark.parametrize("bad", ["half \ud800", "zero \x00", "", "nobody"])
async def test_an_id_that_cannot_be_is_simply_not_found(call: Caller, bad: str):
    answer = await call("query($id: ID!) { memory(id: $id) { id } }", id=bad)

    assert answer.code == "NOT_FOUND"
    assert answer.body["data"] == {"memory": None}


@pytest.mark.parametrize("length", [(9_000, "x"), (3_000, "周")])
async def test_short_fields_have_a_limit_in_characters_and_the_text_is_stored_whole(
    call: Caller, length: tuple[int, str]
):  # case 39
    number, letter = length
    long = letter * number

    memory = await call.remember(long)
    refused = {
        field: await call(REMEMBER, input={"text": "x", field: [long] if listed else long})
        for field, listed in {"people": True, "entities": True, "tags": True, "speaker": False, "bucket": False}.items()
    }

    assert memory["text"] == long
    for field, answer in refused.items():
        assert (answer.code, answer.fields) == ("BAD_USER_INPUT", [field])
        assert f"has {number} characters; at most" in answer.error["message"]
    assert await call.count() == 1


async def test_a_thousand_and_one_rows_are_refused_as_too_many(call: Caller):
    rows = [{"text": f"Row {number}"} for number in range(1_001)]

    answer = await call("mutation($rows: [RememberInput!]!) { rememberMany(inputs: $rows) { added } }", rows=rows)

    assert answer.code == "LIMIT_EXCEEDED"
    assert await call.count() == 0


async def test_emoji_and_scripts_come_back_byte_for_byte(call: Caller):
    texts = ["👩‍👩‍👧‍👦 at the lake", "اجتمعنا \u200fفي المقهى\u200e أمس", "周末去河边钓鱼", "tab\tand\nline"]

    stored = [(await call.remember(text))["text"] for text in texts]

    assert stored == texts


async def test_metadata_keeps_the_types_of_json(call: Caller):
    metadata = {"n": 1, "f": 1.5, "t": True, "z": None, "l": [1, "a", {"deep": []}], "名": "x"}
    memory = await call.remember("x", metadata=metadata)

    answer = await call("query($id: ID!) { memory(id: $id) { metadata } }", id=memory["id"])

    assert answer.data["memory"]["metadata"] == metadata


async def test_metadata_nested_without_end_is_refused(call: Caller):
    nested: dict[str, Any] = {}
    for _ in range(100):
        nested = {"in": nested}

    answer = await call(REMEMBER, input={"text": "x", "metadata": nested})

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", ["metadata"])


@pytest.mark.parametrize("link_type", ["made-by", "gehört zu", "", "X" * 300, "A`]->() DETACH DELETE n //"])
async def test_only_documented_link_types_are_accepted(call: Caller, link_type: str):
    first, second = await call.remember("One"), await call.remember("Two")

    answer = await call(
        "mutation($input: LinkInput!) { link(input: $input) { id } }",
        input={"source": first["id"], "target": second["id"], "type": link_type},
    )

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", ["type"])
    assert await call.count() == 2


async def test_a_link_only_the_system_writes_is_refused(call: Caller):
    first, second = await call.remember("One"), await call.remember("Two")

    answer = await call(
        "mutation($input: LinkInput!) { link(input: $input) { id } }",
        input={"source": first["id"], "target": second["id"], "type": "SUPERSEDED_BY"},
    )

    assert (answer.code, answer.fields) == ("BAD_USER_INPUT", ["type"])
