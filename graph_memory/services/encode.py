"""Encode: what a text is to the machine, its vector and its emotion, before it is stored."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graph_memory.domain.memory import Emotion
from graph_memory.errors import InferenceError
from graph_memory.ports import Embedder, EmotionTagger, Floats

_log = logging.getLogger(__name__)
_UNIT_TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text's vector, shape (dimensions,), unit length, and its emotion."""

    vector: Floats
    emotion: Emotion


class Encode:
    """Encodes texts that are to be remembered."""

    def __init__(self, *, embedder: Embedder, tagger: EmotionTagger) -> None:
        self._embedder, self._tagger = embedder, tagger

    async def __call__(self, texts: Sequence[str]) -> list[Encoded]:
        """One for each text. Raises InferenceError; a tagger that fails leaves the texts neutral."""
        vectors = await self._embedder.embed_passages(texts)
        check_vectors(vectors, texts=len(texts), dimensions=self._embedder.dimensions, embedder=self._embedder.name)
        try:
            emotions = await self._tagger.tag(texts, vectors)
        except InferenceError as error:
            _log.warning("%d texts stay without an emotion: %s", len(texts), error)
            emotions = [Emotion()] * len(texts)
        return [Encoded(vector, emotion) for vector, emotion in zip(vectors, emotions, strict=True)]


def check_vectors(vectors: Floats, *, texts: int, dimensions: int, embedder: str) -> None:
    """Raises InferenceError for vectors that would spoil a search: wrong in number or width, not finite, not unit."""
    if vectors.shape != (texts, dimensions):
        raise InferenceError(
            f"{embedder} gave vectors of shape {vectors.shape} for {texts} texts; expected ({texts}, {dimensions})"
        )
    if not np.isfinite(vectors).all():
        raise InferenceError(f"{embedder} gave a vector that holds no numbers")
    if texts and np.abs(np.linalg.norm(vectors, axis=1) - 1.0).max() > _UNIT_TOLERANCE:
        raise InferenceError(f"{embedder} gave a vector that is not of unit length")
