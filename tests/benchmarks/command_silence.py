"""`silence`: does a least match keep questions without evidence empty without costing the others their evidence?

Questions without evidence are those of LoCoMo's category 5: asked of the wrong person, or of what was never said.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph_memory.bootstrap import Services, open_services
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from tests.benchmarks.corpora import data_folder, locomo
from tests.benchmarks.loading import Stored, erase, store
from tests.benchmarks.tables import figures_table, show, write_json

K = 10
THRESHOLDS = tuple(round(0.2 + 0.05 * step, 2) for step in range(13))
_ADVERSARIAL = 5
_COLUMNS = ("least match", "unanswerable empty", "answerable empty", "evidence lost", "difference")


@dataclass(frozen=True, slots=True)
class Matches:
    """How well the hits of one question match it."""

    of_hits: tuple[float, ...]
    of_evidence: tuple[float, ...]  # of the hits that hold the answer

    def is_empty(self, threshold: float) -> bool:
        return all(match < threshold for match in self.of_hits)

    def loses_evidence(self, threshold: float) -> bool:
        return all(match < threshold for match in self.of_evidence)


@dataclass(frozen=True, slots=True)
class Row:
    """What one threshold does; each a share of questions, 0..1."""

    threshold: float
    unanswerable_empty: float
    answerable_empty: float
    evidence_lost: float  # of the questions whose answer held evidence: all of it cut

    @property
    def difference(self) -> float:
        return self.unanswerable_empty - self.evidence_lost


async def run_silence(settings: Settings, arguments: argparse.Namespace) -> None:
    """Loads, asks both kinds of questions without a threshold, and applies each threshold to the answers."""
    async with open_services(settings) as services:
        stored = await store(services, locomo(), reuse=arguments.reuse)
        unanswerable = await _unanswerable(services, stored)
        answerable = await _answerable(services, stored)
        found = [each for each in answerable if each.of_evidence]
        rows = [
            Row(
                threshold,
                _share([each.is_empty(threshold) for each in unanswerable]),
                _share([each.is_empty(threshold) for each in answerable]),
                _share([each.loses_evidence(threshold) for each in found]),
            )
            for threshold in THRESHOLDS
        ]
        if not arguments.keep:
            await erase(services, [each.user_id for each in stored])
        counts = {"unanswerable": len(unanswerable), "answerable": len(answerable), "found": len(found)}
        _print(rows, counts)
        write_json(arguments.json, {**counts, "rows": rows, "best": _best(rows)})


async def _unanswerable(services: Services, stored: Sequence[Stored]) -> list[Matches]:
    asked = _adversarial_questions()
    return [
        await _matches(services, owner, question, frozenset())
        for owner in stored
        for question in asked[owner.corpus.name]
    ]


async def _answerable(services: Services, stored: Sequence[Stored]) -> list[Matches]:
    return [
        await _matches(services, owner, case.question, case.gold) for owner in stored for case in owner.corpus.cases
    ]


def _adversarial_questions() -> dict[str, list[str]]:
    """Conversation → its questions of category 5, which the importer leaves out."""
    read = json.loads((data_folder() / "locomo" / "locomo-dev.json").read_text(encoding="utf-8"))
    return {
        each["sample_id"]: [question["question"] for question in each["qa"] if question["category"] == _ADVERSARIAL]
        for each in read
    }


async def _matches(services: Services, owner: Stored, question: str, gold: frozenset[str]) -> Matches:
    answer = await services.recall(
        owner.user_id, Question(query=question, k=K, general=False, min_match=0.0, reinforce=False)
    )
    return Matches(
        tuple(hit.match for hit in answer.hits),
        tuple(hit.match for hit in answer.hits if hit.memory.external_id in gold),
    )


def _share(told: Sequence[bool]) -> float:
    return sum(told) / len(told)


def _best(rows: Sequence[Row]) -> Row | None:
    """The threshold with the largest difference, where one is above 0."""
    best = max(rows, key=lambda row: row.difference)
    return best if best.difference > 0 else None


def _print(rows: Sequence[Row], counts: dict[str, Any]) -> None:
    cells = [
        [
            f"{row.threshold:.2f}",
            *(f"{share:.3f}" for share in (row.unanswerable_empty, row.answerable_empty, row.evidence_lost)),
            f"{row.difference:+.3f}",
        ]
        for row in rows
    ]
    title = "LoCoMo: {unanswerable} questions without evidence, {answerable} with, of which {found} found it"
    show(figures_table(title.format(**counts), _COLUMNS, cells))
    best = _best(rows)
    print(f"largest difference at {best.threshold:.2f}" if best else "no threshold silences more than it costs")
