"""The public data as values: what is to be remembered, what is asked, and which memories hold the answer."""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import LinkType
from graph_memory.domain.vocabulary import UserId
from graph_memory.importers.locomo import Conversation, read_locomo

_SHARED = "GRAPH_MEMORY_TEST_SHARED"


@dataclass(frozen=True, slots=True)
class Case:
    """A question and the external ids of the memories that answer it."""

    question: str
    kind: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tie:
    """A link that an application tells, between memories by their external ids."""

    source: str
    type: LinkType
    target: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """What one user remembers and is asked."""

    name: str
    drafts: tuple[MemoryDraft, ...]
    cases: tuple[Case, ...]
    ties: tuple[Tie, ...] = ()

    def user_id(self, embedder: str) -> UserId:
        """A name that changes with the content and the embedder, so that equal data is loaded once."""
        told = "\n".join([embedder, *map(repr, (*self.drafts, *self.ties))])
        return UserId(f"bench-{self.name}-{hashlib.sha256(told.encode()).hexdigest()[:16]}")


def data_folder() -> Path:
    """Where the public data lies."""
    shared = os.environ.get(_SHARED)
    return (Path(shared) if shared else Path(__file__).parents[2].parent / "shared") / "data"


def locomo() -> list[Corpus]:
    """The LoCoMo development conversations: one corpus each, one memory a turn."""
    read = read_locomo(data_folder() / "locomo" / "locomo-dev.json")
    return [_conversation(each) for each in read.conversations]


def hotpotqa() -> list[Corpus]:
    """The HotpotQA sample: one memory a passage, gold: those that hold a supporting fact."""
    questions, passages = _multihop("hotpotqa")
    drafts = [_passage(title, title, "".join(sentences)) for title, sentences in passages.items()]
    cases = [
        _case(each["question"], each["level"], (title for title, _ in each["supporting_facts"])) for each in questions
    ]
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
    return MemoryDraft(text=f"{title}: {text}", external_id=external_id)


def _case(question: object, kind: str, gold: Iterable[str]) -> Case:
    return Case(str(question), kind, frozenset(gold))


def _corpus(name: str, drafts: Iterable[MemoryDraft], cases: Iterable[Case]) -> Corpus:
    """Gold that was never stored does not count; a question left without gold is left out."""
    drafts = tuple(drafts)
    known = frozenset(draft.external_id for draft in drafts)
    counted = (Case(each.question, each.kind, each.gold & known) for each in cases)
    return Corpus(name, drafts, tuple(each for each in counted if each.gold))


def _conversation(read: Conversation) -> Corpus:
    return _corpus(read.id, read.turns, (_case(each.text, each.category, each.evidence) for each in read.questions))
