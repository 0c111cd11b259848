"""The public data as values: what is to be remembered, what is asked, and which memories hold the answer."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import Kind, UserId

_SHARED = "GRAPH_MEMORY_TEST_SHARED"
_LOCOMO_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
_TURN = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Case:
    """A question and the external ids of the memories that answer it."""

    question: str
    kind: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Corpus:
    """What one user remembers and is asked."""

    name: str
    drafts: tuple[MemoryDraft, ...]
    cases: tuple[Case, ...]

    def user_id(self, embedder: str) -> UserId:
        """A name that changes with the content and the embedder, so that equal data is loaded once."""
        told = "\n".join([embedder, *map(repr, self.drafts)])
        return UserId(f"bench-{self.name}-{hashlib.sha256(told.encode()).hexdigest()[:16]}")


def data_folder() -> Path:
    """Where the public data lies."""
    shared = os.environ.get(_SHARED)
    return (Path(shared) if shared else Path(__file__).parents[2].parent / "shared") / "data"


def locomo() -> list[Corpus]:
    """The LoCoMo development conversations: one corpus each, one memory a turn."""
    read = json.loads((data_folder() / "locomo" / "locomo-dev.json").read_text(encoding="utf-8"))
    return [_conversation(sample) for sample in read]


def hotpotqa() -> list[Corpus]:
    """The HotpotQA sample: one memory a passage, gold: those that hold a supporting fact."""
    questions, passages = _multihop("hotpotqa")
    drafts = [_passage(title, title, "".join(sentences)) for title, sentences in passages.items()]
    cases = [_case(each["question"], each["level"], (title for title, _ in each["supporting_facts"])) for each in questions]
    return [_corpus("hotpotqa", drafts, cases)]


def musique() -> list[Corpus]:
    """The MuSiQue sample: one memory a passage, gold: those marked as supporting."""
    questions, passages = _multihop("musique")
    ids = {(each["title"], each["text"]): str(number) for number, each in enumerate(passages)}
    drafts = [_passage(number, title, text) for (title, text), number in ids.items()]
    cases = [
        _case(
            each["question"],
            each["id"].split("_")[0],
            (ids[part["title"], part["paragraph_text"]] for part in each["paragraphs"] if part["is_supporting"]),
        )
        for each in questions
    ]
    return [_corpus("musique", drafts, cases)]


def _multihop(name: str) -> tuple[Any, Any]:
    folder = data_folder() / "multihop"
    return tuple(
        json.loads((folder / f"{name}_{part}.json").read_text(encoding="utf-8")) for part in ("train", "train_corpus")
    )


def _passage(external_id: str, title: str, text: str) -> MemoryDraft:
    return MemoryDraft(text=f"{title}: {text}", kind=Kind.SEMANTIC, external_id=external_id)


def _case(question: object, kind: str, gold: Iterable[str]) -> Case:
    return Case(str(question), kind, frozenset(gold))


def _corpus(name: str, drafts: Iterable[MemoryDraft], cases: Iterable[Case]) -> Corpus:
    """Gold that was never stored does not count; a question left without gold is left out."""
    drafts = tuple(drafts)
    known = frozenset(draft.external_id for draft in drafts)
    counted = (Case(each.question, each.kind, each.gold & known) for each in cases)
    return Corpus(name, drafts, tuple(each for each in counted if each.gold))


def _conversation(sample: Mapping[str, Any]) -> Corpus:
    spoken = sample["conversation"]
    drafts = [
        MemoryDraft(
            text=turn["text"] + (f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""),
            speaker=turn["speaker"],
            session_id=session,
            occurred_at=datetime.strptime(spoken[f"{session}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC),
            external_id=_turn_ids(turn["dia_id"])[0],
        )
        for session in sorted(filter(re.compile(r"session_\d+").fullmatch, spoken), key=lambda name: int(name[8:]))
        for turn in spoken[session]
    ]
    cases = [
        _case(each["question"], _LOCOMO_KINDS[each["category"]], _turn_ids(" ".join(each.get("evidence", ()))))
        for each in sample["qa"]
        if each["category"] in _LOCOMO_KINDS
    ]
    return _corpus(sample["sample_id"], drafts, cases)


def _turn_ids(text: str) -> list[str]:
    return [f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(text)]
