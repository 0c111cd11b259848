"""A made-up life to try the product on: two years of an instrument maker in Ghent, and five questions about them."""

import importlib.resources
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import Category, Kind, Source

_BETWEEN_TURNS = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class SampleLife:
    """Memories to load, with keys that make loading them again add nothing, and questions to ask of them."""

    drafts: tuple[MemoryDraft, ...]
    questions: tuple[str, ...]


def sample_life() -> SampleLife:
    """The sample life, in the order in which it happened; facts come last."""
    text = importlib.resources.files("graph_memory.importers").joinpath("sample_life.json").read_text("utf-8")
    written: Mapping[str, Any] = json.loads(text)
    turns = [draft for session in written["sessions"] for draft in _turns(session)]
    facts = [_fact(number, fact) for number, fact in enumerate(written["facts"], 1)]
    return SampleLife(drafts=(*turns, *facts), questions=tuple(written["questions"]))


def _turns(session: Mapping[str, Any]) -> Iterable[MemoryDraft]:
    began_at = datetime.fromisoformat(session["at"])
    for position, turn in enumerate(session["turns"]):
        identifier = f"{session['id']}/{position + 1}"
        yield MemoryDraft(
            text=turn["text"],
            kind=Kind.EPISODIC,
            source=Source.IMPORTED,
            speaker=turn["speaker"],
            session_id=session["id"],
            people=tuple(turn.get("people", ())),
            entities=tuple(turn.get("entities", ())),
            tags=tuple(turn.get("tags", ())),
            external_id=identifier,
            idempotency_key=f"sample-life/{identifier}",
            occurred_at=began_at + position * _BETWEEN_TURNS,
        )


def _fact(number: int, fact: Mapping[str, Any]) -> MemoryDraft:
    identifier = f"facts/{number}"
    return MemoryDraft(
        text=fact["text"],
        kind=Kind.SEMANTIC,
        source=Source.IMPORTED,
        category=Category(fact["category"]),
        general=fact.get("general", False),
        people=tuple(fact.get("people", ())),
        tags=tuple(fact.get("tags", ())),
        external_id=identifier,
        idempotency_key=f"sample-life/{identifier}",
        valid_at=datetime.fromisoformat(fact["valid_at"]) if "valid_at" in fact else None,
    )
