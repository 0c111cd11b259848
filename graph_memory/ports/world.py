"""What the core asks of the world around it: time, ids, vectors, emotions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from graph_memory.domain.memory import Emotion

Floats = npt.NDArray[np.float32]


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""


class Ids(Protocol):
    """Makes ids."""

    def new(self) -> str:
        """An id that no one has had, sorting after every id that this maker gave before."""


class Embedder(Protocol):
    """Turns texts into vectors that can be compared by cosine."""

    @property
    def name(self) -> str:
        """Which model, in which form: vectors of two names must never be compared."""

    @property
    def dimensions(self) -> int:
        """The width of a vector."""

    async def embed_passages(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimensions), float32, rows of unit length. Raises InferenceError."""

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        """The same for questions. Raises InferenceError."""


class EmotionTagger(Protocol):
    """Tells the emotion of texts."""

    async def tag(self, texts: Sequence[str], vectors: Floats) -> list[Emotion]:
        """One emotion for each text, given its vector (rows of unit length). Raises InferenceError."""
