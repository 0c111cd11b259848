"""The default embedder: a small sentence model on the processor, without torch and without a model hub."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from graph_memory.errors import InferenceError
from graph_memory.inference.model_specs import ModelSpec
from graph_memory.inference.token_model import OnnxTokenModel, TokenModel
from graph_memory.inference.vectors import check_texts, unit_rows
from graph_memory.inference.windows import windows
from graph_memory.ports import Floats

_OVERLAP = 32  # tokens; about two sentences, so that a fact on a seam is whole in one of the windows
_MOST_WINDOWS = 512  # some 110,000 tokens, a long novel's worth of minutes; no stored text comes near
_SLICE = 8  # texts a thread takes at a time: coarse enough to be cheap, fine enough to share out evenly
_MARKERS = 2


class OnnxEmbedder:
    """Texts to unit vectors, each text by itself, several at once on threads of its own.

    The vector of a text depends on nothing but the text. Text longer than the model reads is cut into overlapping
    windows whose vectors are averaged, so that its last sentence counts as much as its first.
    """

    def __init__(
        self,
        model: TokenModel,
        *,
        name: str,
        query_prefix: str = "",
        passage_prefix: str = "",
        max_tokens: int = 256,
        threads: int | None = None,
    ) -> None:
        """
        Args:
            name: stored in the graph beside the vectors; another name means vectors that cannot be compared.
            max_tokens: most tokens of one window, markers and prefix included.
            threads: texts read at once; None: one for each processor this process may use.
        """
        self.name = name
        self.dimensions = model.dimensions
        self._model = model
        self._query_prefix = model.tokens(query_prefix) if query_prefix else []
        self._passage_prefix = model.tokens(passage_prefix) if passage_prefix else []
        self._max_tokens = max_tokens
        self._threads = threads or _processors()
        self._passage_pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed-passages")
        # Apart, so that a question never waits behind a bulk import.
        self._query_pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed-queries")

    @classmethod
    def from_jar(cls, jar: Path, spec: ModelSpec, *, threads: int | None = None) -> "OnnxEmbedder":
        """The model that `spec` describes, read from its jar in memory; takes some 0.2 s.

        Raises: InferenceError when the jar or a library is missing, or it holds another model.
        """
        model = OnnxTokenModel.from_jar(jar, spec)
        if model.dimensions != spec.dimensions:
            raise InferenceError(f"{spec.name} should have {spec.dimensions} dimensions, found {model.dimensions}")
        return cls(
            model,
            name=spec.name,
            query_prefix=spec.query_prefix,
            passage_prefix=spec.passage_prefix,
            max_tokens=spec.max_tokens,
            threads=threads,
        )

    async def embed_passages(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimensions), float32, rows of unit length. Raises InferenceError."""
        return await self._embed(texts, self._passage_prefix, self._passage_pool)

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimensions), float32, rows of unit length. Raises InferenceError."""
        return await self._embed(texts, self._query_prefix, self._query_pool)

    def window_count(self, text: str) -> int:
        """How many windows a stored text is read in; 1 for nearly all."""
        return len(self._windows(text, self._passage_prefix))

    def close(self) -> None:
        """Give the threads back; texts being read are finished first."""
        self._passage_pool.shutdown()
        self._query_pool.shutdown()

    async def _embed(self, texts: Sequence[str], prefix: list[int], pool: Executor) -> Floats:
        check_texts(texts)
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        todo = _slices(len(texts), threads=self._threads)

        async def drain() -> None:
            # One slice in the pool at a time, so that calls side by side take turns instead of queueing up.
            for part in todo:
                rows[part] = await asyncio.get_running_loop().run_in_executor(pool, self._rows, texts[part], prefix)

        try:
            async with asyncio.TaskGroup() as readers:
                for _ in range(self._threads):
                    readers.create_task(drain())
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None  # callers know InferenceError, not groups
        return unit_rows(rows, model=self.name)

    def _rows(self, texts: Sequence[str], prefix: list[int]) -> Floats:
        return np.stack([self._row(text, prefix) for text in texts])

    def _row(self, text: str, prefix: list[int]) -> Floats:
        parts = np.stack([self._model.vector([*prefix, *window]) for window in self._windows(text, prefix)])
        pooled: Floats = parts[0] if len(parts) == 1 else unit_rows(parts, model=self.name).mean(axis=0)
        return pooled

    def _windows(self, text: str, prefix: list[int]) -> list[Sequence[int]]:
        tokens = self._model.tokens(text)
        if not tokens:
            raise InferenceError(f"cannot embed {text[:40]!r}: {self.name} knows none of its characters")
        room = self._max_tokens - len(prefix) - _MARKERS
        found = windows(tokens, room=room, overlap=_OVERLAP)
        if len(found) > _MOST_WINDOWS:
            raise InferenceError(f"cannot embed a text of {len(found)} windows; at most {_MOST_WINDOWS} are read")
        return found


def _slices(count: int, *, threads: int) -> Iterator[slice]:
    size = min(_SLICE, max(1, -(-count // threads)))
    return (slice(start, start + size) for start in range(0, count, size))


def _processors() -> int:
    # Linux knows which processors this process may use; elsewhere take all.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
