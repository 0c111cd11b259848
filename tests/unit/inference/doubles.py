"""Models small enough to reason about."""

import asyncio
import re
import threading
import zlib
from collections.abc import Sequence

import numpy as np

from graph_memory.errors import InferenceError
from graph_memory.ports import Floats


class WordCountModel:
    """Each word is one token; a vector counts, in one of 64 places each, the words it was given."""

    dimensions = 64

    def __init__(self) -> None:
        self.longest_read = 0

    def tokens(self, text: str) -> list[int]:
        return [zlib.crc32(word.encode()) for word in text.split()]

    def vector(self, tokens: Sequence[int]) -> Floats:
        self.longest_read = max(self.longest_read, len(tokens) + 2)
        counts = np.zeros(self.dimensions, dtype=np.float32)
        for token in tokens:
            counts[token % self.dimensions] += 1
        return counts


class ConstantModel:
    """Answers the same vector whatever it reads."""

    def __init__(self, vector: Sequence[float]) -> None:
        self._vector = np.array(vector, dtype=np.float32)
        self.dimensions = len(vector)

    def tokens(self, text: str) -> list[int]:
        return [len(text)]

    def vector(self, tokens: Sequence[int]) -> Floats:
        return self._vector


class DeafModel(ConstantModel):
    """Its tokenizer drops every character it is given."""

    def tokens(self, text: str) -> list[int]:
        return []


class WaitingModel(ConstantModel):
    """Answers texts that begin with `waits_for` only when it may, and says when it was asked."""

    def __init__(self, vector: Sequence[float], waits_for: str = "") -> None:
        super().__init__(vector)
        self._waits_for = zlib.crc32(waits_for.encode())
        self._waits_for_all = not waits_for
        self.asked = threading.Event()
        self.may_answer = threading.Event()

    def tokens(self, text: str) -> list[int]:
        return [zlib.crc32(text.encode())]

    def vector(self, tokens: Sequence[int]) -> Floats:
        if self._waits_for_all or tokens[0] == self._waits_for:
            self.asked.set()
            self.may_answer.wait(timeout=30)
        return super().vector(tokens)


class SentenceTransformerDouble:
    """As much of a `SentenceTransformer` as the adapter asks for; each word is one token."""

    def __init__(self, max_seq_length: int) -> None:
        self.max_seq_length = max_seq_length
        self.read: list[str] = []
        self.failure: Exception | None = None

    def encode(self, texts: Sequence[str], **options: object) -> Floats:
        if self.failure:
            raise self.failure
        self.read += texts
        model = WordCountModel()
        return np.stack([model.vector(model.tokens(text)) for text in texts])

    def tokenizer(self, text: str, **options: object) -> dict[str, list[tuple[int, int]]]:
        return {"offset_mapping": [word.span() for word in re.finditer(r"\S+", text)]}


class GatedEmbedder:
    """Records every call and answers none before its gate is open; refuses texts that say "bad"."""

    name = "gated/1"
    dimensions = 2

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.calls: list[list[str]] = []
        self.failure: InferenceError | None = None

    async def embed_passages(self, texts: Sequence[str]) -> Floats:
        self.calls.append(list(texts))
        await self.gate.wait()
        if self.failure:
            raise self.failure
        if any("bad" in text for text in texts):
            raise InferenceError("a bad text")
        return np.stack([unit_of(text) for text in texts])

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        return await self.embed_passages(texts)


def unit_of(text: str) -> Floats:
    """The vector that `GatedEmbedder` gives for `text`."""
    angle = zlib.crc32(text.encode()) % 360 / 360 * 2 * np.pi
    return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)
