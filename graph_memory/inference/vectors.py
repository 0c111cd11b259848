"""What every embedder refuses: texts that have no meaning to embed, and vectors that have no direction."""

from collections.abc import Sequence

import numpy as np

from graph_memory.domain.text import text_problems
from graph_memory.errors import InferenceError
from graph_memory.ports import Floats


def check_texts(texts: Sequence[str]) -> None:
    """Refuse blank and ill-formed texts, naming each by its position, before a model sees any of them.

    Raises: InferenceError, not retryable.
    """
    problems = [
        str(problem)
        for position, text in enumerate(texts)
        for problem in text_problems(f"text {position}", text, most_characters=len(text))
    ]
    if problems:
        raise InferenceError("cannot embed: " + "; ".join(problems))


def unit_rows(vectors: Floats, *, model: str) -> Floats:
    """The same rows with Euclidean length 1, shape (n, dimensions).

    Raises: InferenceError when a row holds NaN or infinity or is all zeros; one such row stored would spoil every
        search that meets it.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = np.flatnonzero(~np.isfinite(lengths) | (lengths == 0))
    if bad.size:
        raise InferenceError(f"{model} gave no usable vector: row {bad[0]} is zero or not finite")
    units: Floats = (vectors / lengths).astype(np.float32)
    return units


def check_shape(vectors: Floats, *, count: int, dimensions: int, model: str) -> Floats:
    """`vectors` as they are, if there is one of the right width for each text.

    Raises: InferenceError.
    """
    if vectors.shape != (count, dimensions):
        raise InferenceError(f"{model} gave shape {vectors.shape} where ({count}, {dimensions}) was due")
    return vectors
