"""MADial-Bench as values, from files of the same form."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.madial import Situation, madial

MEMORIES = {
    "7": {"time": "2023-05-02", "scene": "Activity", "emotion": "Anxiety", "event": "Bart lost his kite."},
    "9": {"time": "2023-06-01", "scene": "Others", "emotion": "Happy", "event": "Grandpa cooked for Lisa."},
}
DIALOGUE = {
    "dialogue": [
        "<BOD>\n",
        '<Bart>: "It is windy!"\n',
        '"Then we could fly something."\n',
        '<Bart>: "But mine is gone."\n',
        '<Assistant>: "Do you remember the kite you lost?"\n',
        '<Bart>: "Yes."\n',
        '<Assistant>: "That kite again."\n',
        "<EOD>\n",
    ],
    "test-turn": [4, 6],
    "relevant-id": [7],
    "user-id": 1,
}


@pytest.fixture(autouse=True)
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data" / "madial"
    folder.mkdir(parents=True)
    rows = [json.dumps({key: memory}) for key, memory in MEMORIES.items()]
    (folder / "MADial-Bench-en-memory.json").write_text("\n".join(rows), "utf-8")
    (folder / "MADial-Bench-en-dialogue.json").write_text(json.dumps(DIALOGUE) + "\n", "utf-8")
    monkeypatch.setenv("GRAPH_MEMORY_TEST_SHARED", str(tmp_path))


def test_each_child_has_the_memories_that_name_it():
    [told] = madial()

    bart, lisa = told.corpora(Situation.SAID)

    assert [draft.text for draft in bart.drafts] == ["Bart lost his kite."]
    assert [draft.external_id for draft in lisa.drafts] == ["9"]
    assert lisa.cases == ()


@pytest.mark.parametrize(
    ("situation", "question"),
    [
        (Situation.SAID, "It is windy! But mine is gone."),
        (Situation.LAST, "But mine is gone."),
        (Situation.DIALOGUE, "It is windy! Then we could fly something. But mine is gone."),
    ],
)
def test_what_is_said_after_the_first_recall_is_not_asked_with(situation: Situation, question: str):
    [told] = madial()

    [case] = told.corpora(situation)[0].cases

    assert (case.question, case.kind, case.gold) == (question, "anxious", {"7"})
