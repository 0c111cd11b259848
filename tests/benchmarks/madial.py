"""MADial-Bench as values: a child's dated memories, and dialogues in which an assistant thinks of the right one.

Each dialogue marks the turns in which the assistant recalls. What stands before the first of them is the situation;
what is said after it may already name the memory, so later marks ask nothing new and are left out. A memory belongs to
the child that its text names. The mood of a case is the emotion that the data gives to its first memory.

Source: He et al. 2024, MADial-Bench; the files are read from the shared folder, nothing of them is kept here.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from graph_memory.domain.draft import MemoryDraft
from tests.benchmarks.corpora import Case, Corpus, data_folder

_FILE = re.compile(r"MADial-Bench-(?P<language>\w+)-memory\.json")
_TURN = re.compile(r"^\s*(?:<(?P<speaker>[^>:]+)>\s*:)?\s*(?P<said>.*?)\s*$", re.DOTALL)
_OWNERS = {1: "Bart", 2: "Lisa"}
_WRAPPING = '"<> '
_SAME_MOOD = {"anxiety": "anxious"}  # the data has both forms


class Situation(StrEnum):
    """What of the dialogue is asked with."""

    SAID = "all that the child has said"
    LAST = "the last thing said"
    DIALOGUE = "both sides so far"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One turn of a dialogue."""

    by_child: bool
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What was said before the assistant recalls, and which memories would be right."""

    owner: str
    before: tuple[Utterance, ...]
    gold: tuple[str, ...]  # the most fitting first

    def question(self, situation: Situation) -> str:
        """The situation as one text."""
        told = [each for each in self.before if each.by_child or situation is Situation.DIALOGUE]
        return " ".join(each.text for each in (told[-1:] if situation is Situation.LAST else told))


@dataclass(frozen=True, slots=True)
class Madial:
    """The data in one language."""

    language: str
    memories: Mapping[str, MemoryDraft]  # by id
    moods: Mapping[str, str]  # the emotion that the data gives to each
    owners: Mapping[str, str]
    scenes: tuple[Scene, ...]

    def corpora(self, situation: Situation) -> list[Corpus]:
        """One corpus a child, its questions made from that much of the dialogue."""
        return [self._corpus(owner, situation) for owner in sorted(set(self.owners.values()))]

    def _corpus(self, owner: str, situation: Situation) -> Corpus:
        drafts = [draft for key, draft in self.memories.items() if self.owners[key] == owner]
        cases = [
            Case(scene.question(situation), self.moods[scene.gold[0]], frozenset(scene.gold))
            for scene in self.scenes
            if scene.owner == owner
        ]
        return Corpus(f"madial-{self.language}-{owner.lower()}", tuple(drafts), tuple(cases))


def madial() -> list[Madial]:
    """Each language that the folder has."""
    folder = data_folder() / "madial"
    names = sorted(path.name for path in folder.glob("MADial-Bench-*-memory.json"))
    return [_read(folder, match["language"]) for match in map(_FILE.fullmatch, names) if match]


def _read(folder: Path, language: str) -> Madial:
    told = {
        key: memory for row in _rows(folder / f"MADial-Bench-{language}-memory.json") for key, memory in row.items()
    }
    return Madial(
        language=language,
        memories={key: _draft(key, memory) for key, memory in told.items()},
        moods={key: _mood(memory["emotion"]) for key, memory in told.items()},
        owners={key: _owner(memory["event"]) for key, memory in told.items()},
        scenes=tuple(_scene(row) for row in _rows(folder / f"MADial-Bench-{language}-dialogue.json")),
    )


def _rows(path: Path) -> Iterable[Any]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def _draft(key: str, memory: Mapping[str, str]) -> MemoryDraft:
    """The event as it is told, on its day; the emotion that the data names is not handed over, it must be read."""
    return MemoryDraft(
        text=memory["event"],
        occurred_at=datetime.fromisoformat(memory["time"]).replace(tzinfo=UTC),
        external_id=key,
    )


def _mood(emotion: str) -> str:
    return _SAME_MOOD.get(emotion.lower(), emotion.lower())


def _owner(event: str) -> str:
    [owner] = [name for name in _OWNERS.values() if name in event]
    return owner


def _scene(row: Mapping[str, Any]) -> Scene:
    owner, first = _OWNERS[row["user-id"]], min(row["test-turn"])
    before = [_utterance(turn, owner) for turn in row["dialogue"][1:first]]  # turn 0 marks the beginning
    return Scene(owner, tuple(before), tuple(str(each) for each in row["relevant-id"]))


def _utterance(turn: str, child: str) -> Utterance:
    """A turn without its marks; one that names no speaker is the assistant's."""
    match = _TURN.match(turn)
    assert match is not None
    return Utterance(match["speaker"] == child, match["said"].strip(_WRAPPING))
