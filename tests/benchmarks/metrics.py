"""How good a ranked list is. Every measure lies in 0..1, larger is better."""

import math
from collections.abc import Collection, Sequence

import numpy as np

_RESAMPLES = 2_000


def recall_at(k: int, ranked: Sequence[str], gold: Collection[str]) -> float:
    """Share of the gold that stands among the first k."""
    return len(set(ranked[:k]) & set(gold)) / len(gold)


def hit_at(k: int, ranked: Sequence[str], gold: Collection[str]) -> float:
    """1 when any gold stands among the first k, else 0."""
    return float(any(each in gold for each in ranked[:k]))


def reciprocal_rank(ranked: Sequence[str], gold: Collection[str]) -> float:
    """1 / rank of the first gold, ranks from 1; 0 when there is none. Its mean over questions is MRR."""
    return next((1.0 / rank for rank, each in enumerate(ranked, start=1) if each in gold), 0.0)


def ndcg_at(k: int, ranked: Sequence[str], gold: Collection[str]) -> float:
    """Normalised discounted cumulative gain: each gold counts 1 / log2(1 + rank), over that of the best order.

    Source: Järvelin and Kekäläinen 2002, with gains 0 and 1.
    """
    gained = sum(_discount(rank) for rank, each in enumerate(ranked[:k], start=1) if each in gold)
    return gained / sum(_discount(rank) for rank in range(1, min(k, len(gold)) + 1))


def interval_of_mean(values: Sequence[float], *, seed: int, level: float = 0.95) -> tuple[float, float]:
    """Where the mean lies with the given confidence, by bootstrap over `values`, one a question."""
    draws = np.random.default_rng(seed).choice(np.asarray(values), size=(_RESAMPLES, len(values)))
    low, high = np.quantile(draws.mean(axis=1), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _discount(rank: int) -> float:
    return 1.0 / math.log2(1 + rank)
