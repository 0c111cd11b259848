"""Doubles that say what they do, shipped for the tests of this product and of those built on it."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import numpy as np

from graph_memory.domain.memory import Emotion
from graph_memory.domain.text import script_terms, text_problems, words
from graph_memory.errors import InferenceError
from graph_memory.ports import Floats


class FixedClock:
    """Tells the time that it was set to."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def set(self, now: datetime) -> None:
        """Moves to an instant."""
        self._now = now

    def advance(self, by: timedelta) -> None:
        """Moves on."""
        self._now += by


class ScriptedTagger:
    """Tells the emotions it was told to, by text; every other text is neutral."""

    def __init__(self, emotions: Mapping[str, Emotion]) -> None:
        self._emotions = dict(emotions)

    async def tag(self, texts: Sequence[str], vectors: Floats) -> list[Emotion]:
        return [self._emotions.get(text, Emotion()) for text in texts]


class CountingIds:
    """Makes ids that sort in the order of their making: "id-00000001" and on."""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix, self._count = prefix, 0

    def new(self) -> str:
        self._count += 1
        return f"{self._prefix}-{self._count:08}"


class HashingEmbedder:
    """Gives each word a direction of its own, found by hashing, and a text the mean of its words' directions.

    Texts that share words are near each other; nothing else is known of meaning. The same everywhere, at once.
    """

    def __init__(self, *, name: str = "hashing/1", dimensions: int = 384) -> None:
        self.name = name
        self.dimensions = dimensions

    async def embed_passages(self, texts: Sequence[str]) -> Floats:
        return self._embedded(texts)

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        return self._embedded(texts)

    def _embedded(self, texts: Sequence[str]) -> Floats:
        for position, text in enumerate(texts):
            if problems := text_problems(f"text {position}", text, most_characters=len(text)):
                raise InferenceError("; ".join(map(str, problems)))
        rows = [self._row(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimensions), np.float32)

    def _row(self, text: str) -> Floats:
        terms = [*words(text), *script_terms(text)] or [text]
        total = np.sum([self._direction(term) for term in terms], axis=0)
        row: Floats = (total / np.linalg.norm(total)).astype(np.float32)
        return row

    def _direction(self, term: str) -> Floats:
        seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.dimensions, dtype=np.float32)
