"""Emotion without a language model: ten linear heads over the vector that a memory has anyway.

Two heads give valence and arousal on EmoBank's scale 1..5, eight give the log-odds that a reader would name one of
Plutchik's emotions. All ten are one matrix product. The heads fit the vectors of one embedder alone, so they are
kept by its name in `emotion_heads.json`; `emotion_heads.txt` beside it tells their sources and scores, and
`tests/benchmarks/fit_emotion.py` makes both files.

Source: constants.md 2.1 (emotion tag); operations.md, Emotion scales.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from graph_memory.domain.memory import EMOTIONS, Emotion
from graph_memory.errors import InferenceError
from graph_memory.inference.vectors import check_shape
from graph_memory.ports import Floats

HEADS_FILE = "emotion_heads.json"
AFFECT = ("valence", "arousal")  # the heads on EmoBank's scale
OUTPUTS = (*AFFECT, *EMOTIONS)

_Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AffectScales:
    """How readings on EmoBank's 1..5 become stored values: stored = (reading − zero) / span, clamped.

    Nearly all arousal of EmoBank lies in 2.7..3.5, so what is calm there is 0 here.

    Source: operations.md, Emotion scales.
    """

    arousal_zero: float = 3.0
    arousal_span: float = 1.4
    valence_zero: float = 3.0
    valence_span: float = 1.6

    def arousal(self, reading: _Doubles) -> _Doubles:
        """Stored arousal, 0..1."""
        return np.clip((reading - self.arousal_zero) / self.arousal_span, 0.0, 1.0)

    def valence(self, reading: _Doubles) -> _Doubles:
        """Stored valence, -1..1."""
        return np.clip((reading - self.valence_zero) / self.valence_span, -1.0, 1.0)


@dataclass(frozen=True, slots=True)
class EmotionHeads:
    """Trained heads in the order of OUTPUTS; `thresholds` in that of EMOTIONS."""

    weights: _Doubles  # shape (dimensions, 10)
    intercepts: _Doubles  # shape (10,)
    thresholds: _Doubles  # shape (8,), chances in 0..1

    @classmethod
    def from_json(cls, heads: Mapping[str, Any]) -> "EmotionHeads":
        """The heads as the shipped file holds them, by output name."""
        return cls(
            np.array([heads[name]["weights"] for name in OUTPUTS], dtype=np.float64).T,
            np.array([heads[name]["intercept"] for name in OUTPUTS], dtype=np.float64),
            np.array([heads[name]["threshold"] for name in EMOTIONS], dtype=np.float64),
        )

    def readings(self, vectors: Floats) -> _Doubles:
        """Shape (n, 10): valence and arousal on EmoBank's own scale, not clamped, then the eight log-odds."""
        readings: _Doubles = vectors @ self.weights + self.intercepts
        return readings

    def intensities(self, log_odds: _Doubles) -> _Doubles:
        """Shape (n, 8): the chance that a reader would name the emotion, or 0 where it is below its threshold."""
        chances = (1.0 + np.tanh(log_odds / 2.0)) / 2.0  # the logistic function in a form that never overflows
        return np.where(chances >= self.thresholds, chances, 0.0)


class LinearEmotionTagger:
    """Reads a memory's emotion off its vector.

    An intensity is a calibrated chance: of texts with joy 0.7, about seven in ten were called joyful by readers.
    """

    def __init__(self, heads: EmotionHeads, *, embedder: str, scales: AffectScales | None = None) -> None:
        """
        Args:
            embedder: whose vectors the heads were trained on.
            scales: those of operations.md if not given.
        """
        self._heads = heads
        self._embedder = embedder
        self._scales = scales or AffectScales()

    @staticmethod
    def for_embedder(name: str, scales: AffectScales | None = None) -> "LinearEmotionTagger | NeutralEmotionTagger":
        """The tagger for the vectors of this embedder; one that finds no emotion where no heads were trained."""
        heads = shipped_heads(name)
        return LinearEmotionTagger(heads, embedder=name, scales=scales) if heads else NeutralEmotionTagger()

    async def tag(self, texts: Sequence[str], vectors: Floats) -> list[Emotion]:
        """One emotion for each row of `vectors`, shape (len(texts), dimensions), unit rows. Raises InferenceError."""
        check_shape(vectors, count=len(texts), dimensions=len(self._heads.weights), model=self._embedder)
        _check_finite(vectors, self._embedder)
        readings = self._heads.readings(vectors)
        intensities = self._heads.intensities(readings[:, len(AFFECT) :])
        valence, arousal = self._scales.valence(readings[:, 0]), self._scales.arousal(readings[:, 1])
        columns = np.column_stack([intensities, valence, arousal]).tolist()
        return [_emotion(*row) for row in columns]


class NeutralEmotionTagger:
    """Finds no emotion in anything."""

    async def tag(self, texts: Sequence[str], vectors: Floats) -> list[Emotion]:
        """A neutral emotion for each text."""
        return [Emotion()] * len(texts)


def shipped_heads(embedder: str) -> EmotionHeads | None:
    """The heads that come with this package for an embedder; None if there are none."""
    trained = _shipped().get(embedder)
    return EmotionHeads.from_json(trained["heads"]) if trained else None


@cache
def _shipped() -> Mapping[str, Any]:
    text = resources.files("graph_memory.inference").joinpath(HEADS_FILE).read_text("utf-8")
    return dict(json.loads(text))


def _check_finite(vectors: Floats, embedder: str) -> None:
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if bad.size:
        raise InferenceError(f"cannot tag a vector of {embedder}: row {bad[0]} is not finite")


def _emotion(*values: float) -> Emotion:
    *intensities, valence, arousal = values
    return Emotion(**dict(zip(EMOTIONS, intensities, strict=True)), valence=valence, arousal=arousal)
