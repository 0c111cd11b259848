"""Conversations in LoCoMo's shape; all of them invented here."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graph_memory.domain.vocabulary import Kind, Source
from graph_memory.errors import InvalidValueError
from graph_memory.importers.locomo import LocomoFile, Question, parse_locomo, read_locomo


def turn(dia_id: str, text: str = "Good morning!", speaker: str = "Ines", **more: Any) -> dict[str, Any]:
    return {"speaker": speaker, "dia_id": dia_id, "text": text, **more}


def conversation(*turns: Any, sample_id: str = "talk-1", date: str = "1:56 pm on 8 May, 2023", **more: Any) -> Any:
    sessions = {"speaker_a": "Ines", "session_1_date_time": date, "session_1": list(turns)}
    return {"sample_id": sample_id, "conversation": {**sessions, **more.pop("sessions", {})}, "qa": [], **more}


def parsed(*conversations: Any) -> LocomoFile:
    return parse_locomo(list(conversations), name="talks.json")


def test_a_turn_becomes_an_imported_episode_with_its_ids():
    found = parsed(conversation(turn("D1:1", " The kiln is hot. ")))

    [draft] = found.conversations[0].turns
    assert (draft.text, draft.speaker, draft.kind, draft.source) == (
        "The kiln is hot.", "Ines", Kind.EPISODIC, Source.IMPORTED
    )  # fmt: skip
    assert (draft.external_id, draft.session_id) == ("talk-1/D1:1", "talk-1/session_1")
    assert draft.idempotency_key == "locomo/talk-1/D1:1"


def test_a_caption_follows_the_text_in_brackets():
    found = parsed(
        conversation(turn("D1:1", "Look!", blip_caption="a red canoe"), turn("D1:2", "", blip_caption="a cat"))
    )

    assert [draft.text for draft in found.conversations[0].turns] == ["Look! [a red canoe]", "[a cat]"]


@pytest.mark.parametrize(
    ("written", "hour", "minute"),
    [("1:56 pm on 8 May, 2023", 13, 56), ("12:05 am on 8 May, 2023", 0, 5), ("12:05 PM on 8 may 2023", 12, 5)],
)
def test_the_turns_of_a_session_are_a_second_apart(written: str, hour: int, minute: int):
    found = parsed(conversation(turn("D1:1"), turn("D1:2"), date=written))

    dates = [draft.occurred_at for draft in found.conversations[0].turns]
    assert dates == [datetime(2023, 5, 8, hour, minute, second, tzinfo=UTC) for second in (0, 1)]


def test_sessions_are_read_in_the_order_of_their_numbers():
    late = {"session_10_date_time": "9:00 am on 1 June, 2023", "session_10": [turn("D10:1")]}
    early = {"session_2_date_time": "9:00 am on 9 May, 2023", "session_2": [turn("D2:1")]}

    found = parsed(conversation(turn("D1:1"), sessions={**late, **early}))

    assert [draft.external_id for draft in found.conversations[0].turns] == [
        "talk-1/D1:1",
        "talk-1/D2:1",
        "talk-1/D10:1",
    ]


def test_a_date_without_a_session_is_no_fault():
    found = parsed(conversation(turn("D1:1"), sessions={"session_2_date_time": "9:00 am on 9 May, 2023"}))

    assert found.unread == ()


def test_a_question_keeps_the_evidence_that_is_there():
    asked = {"question": "Who fired the kiln?", "category": 1, "evidence": ["D1:1; D:1:2", "D9:9", "D1:1"]}

    found = parsed(conversation(turn("D1:1"), turn("D1:2"), qa=[asked]))

    assert found.conversations[0].questions == (
        Question("Who fired the kiln?", "multi-hop", ("talk-1/D1:1", "talk-1/D1:2")),
    )


@pytest.mark.parametrize(
    "asked",
    [
        {"question": "Is it so?", "category": 5, "evidence": ["D1:1"]},
        {"question": "Is it so?", "category": 4, "evidence": []},
        {"question": "Is it so?", "category": 4, "evidence": ["D7:7"]},
        {"question": "Is it so?", "category": 4},
    ],
)
def test_adversarial_questions_and_those_without_evidence_are_left_out(asked: dict[str, Any]):
    found = parsed(conversation(turn("D1:1"), qa=[asked]))

    assert found.conversations[0].questions == ()


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ("a text", "[0].conversation.session_1[1]"),
        (turn("", "Hello"), "[0].conversation.session_1[1].dia_id"),
        (turn("D1:1", "Again"), "[0].conversation.session_1[1].dia_id"),
        (turn("D1:2", speaker="  "), "[0].conversation.session_1[1].speaker"),
        (turn("D1:2", "   "), "[0].conversation.session_1[1].text"),
    ],
)
def test_a_broken_turn_is_listed_and_the_others_are_read(broken: Any, place: str):
    found = parsed(conversation(turn("D1:1"), broken, turn("D1:3")))

    assert [draft.external_id for draft in found.conversations[0].turns] == ["talk-1/D1:1", "talk-1/D1:3"]
    assert [(each.place, each.turns) for each in found.unread] == [(place, 1)]


@pytest.mark.parametrize("date", ["some day in May", "1:56 pm on 31 June, 2023", "13:99 pm on 8 May, 2023", ""])
def test_a_session_without_a_readable_date_is_listed_with_the_turns_it_loses(date: str):
    found = parsed(conversation(turn("D1:1"), turn("D1:2"), date=date))

    assert found.turns == 0
    assert [(each.place, each.turns) for each in found.unread] == [("[0].conversation.session_1_date_time", 2)]


def test_a_conversation_told_twice_is_read_once():
    found = parsed(conversation(turn("D1:1")), conversation(turn("D1:1"), turn("D1:2")))

    assert len(found.conversations) == 1
    assert [(each.place, each.turns) for each in found.unread] == [("[1].sample_id", 2)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[{", "line 1, column"),
        (b"\xff\xfe", "byte 0: is no UTF-8"),
        (b'{"qa": []}', "top level: must be a list"),
        (b'[{"qa": []}]', "[0].sample_id: must be a text"),
        (b"[3]", "[0]: must be an object"),
    ],
)
def test_a_file_that_cannot_be_read_names_itself_the_place_and_the_reason(tmp_path: Path, content: bytes, said: str):
    file = tmp_path / "talks.json"
    file.write_bytes(content)

    with pytest.raises(InvalidValueError) as caught:
        read_locomo(file)

    assert str(file) in str(caught.value)
    assert said in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(InvalidValueError, match=r"talks\.json: file: cannot be read"):
        read_locomo(tmp_path / "talks.json")


def test_an_empty_file_holds_no_conversation(tmp_path: Path):
    file = tmp_path / "talks.json"
    file.write_text(json.dumps([]), "utf-8")

    found = read_locomo(file)

    assert (found.conversations, found.unread) == ((), ())
