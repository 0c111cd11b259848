"""Every reply from which a fact can be read gives it; the rest gives nothing (cases.md 30)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.loose_json import json_values

OBOE = {"facts": [{"text": "plays the oboe"}]}
AS_JSON = json.dumps(OBOE)


@pytest.mark.parametrize(
    "reply",
    [
        AS_JSON,
        f"Of course {{as you {{like}} it}}, here it is [see below]: {AS_JSON} Anything else?",
        f"```json\n{AS_JSON}\n```",
        '{"facts": [{"text": "plays the oboe",},],}',
        f'He said "fine {{,}}". {AS_JSON}',
        f"```\n{AS_JSON}",
    ],
)
def test_a_fact_is_read_from_a_reply_that_holds_it(reply: str):
    assert OBOE in json_values(reply)


def test_two_objects_in_a_row_are_two_and_a_list_is_one():
    assert json_values(f"{AS_JSON}\n{AS_JSON}") == [OBOE, OBOE]
    assert json_values('[{"text": "plays the oboe"}]') == [[{"text": "plays the oboe"}]]


def test_a_comma_inside_a_text_stays():
    assert json_values('{"text": "red, ] or blue, }",}') == [{"text": "red, ] or blue, }"}]


@pytest.mark.parametrize(
    "reply", ["", "I cannot help with that.", "{facts: plays the oboe}", '{"facts": [{"te', "}{", "[" * 9_000]
)
def test_what_cannot_be_read_gives_nothing(reply: str):
    assert json_values(reply) == []


@given(st.text(), st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.text()), min_size=1))
def test_an_object_in_a_fence_is_read_whatever_is_in_it(name: str, value: dict[str, object]):
    assert json_values(f"```json\n{json.dumps({name: value}, ensure_ascii=False)}\n```") == [{name: value}]
