"""What was drawn from a turn, as the JSON that waits on it until it is written."""

import json
from datetime import datetime
from typing import Any

from graph_memory.domain.asked import Extraction, PersonMention, StatedDecision, StatedFact
from graph_memory.domain.vocabulary import Category
from graph_memory.ports import TurnExtraction


def turn_extraction_text(drawn: TurnExtraction) -> str:
    """What was drawn, as JSON."""
    value = drawn.extraction
    document = {
        "by": drawn.by,
        "facts": [_fact_document(each) for each in value.facts],
        "observations": [_fact_document(each) for each in value.observations],
        "decisions": [
            {"text": each.text, "reasoning": each.reasoning, "domain": each.domain} for each in value.decisions
        ],
        "persons": [
            {
                "name": each.name,
                "context": each.context,
                "sentiment": each.sentiment,
                "domains": list(each.domains),
                "evidence_type": each.evidence_type,
            }
            for each in value.persons
        ],
    }
    return json.dumps(document, ensure_ascii=False)


def turn_extraction_from(text: str) -> TurnExtraction:
    """The same, read back."""
    document: dict[str, Any] = json.loads(text)
    return TurnExtraction(
        by=document["by"],
        extraction=Extraction(
            facts=tuple(map(_fact_from, document["facts"])),
            observations=tuple(map(_fact_from, document["observations"])),
            decisions=tuple(StatedDecision(utterance=0, **each) for each in document["decisions"]),
            persons=tuple(
                PersonMention(utterance=0, **{**each, "domains": tuple(each["domains"])})
                for each in document["persons"]
            ),
        ),
    )


def _fact_document(fact: StatedFact) -> dict[str, Any]:
    day = fact.occurred_at.isoformat() if fact.occurred_at else None
    return {"text": fact.text, "category": fact.category.value, "occurred_at": day}


def _fact_from(document: dict[str, Any]) -> StatedFact:
    day = document["occurred_at"]
    return StatedFact(
        text=document["text"],
        category=Category(document["category"]),
        utterance=0,
        occurred_at=datetime.fromisoformat(day) if day else None,
    )
