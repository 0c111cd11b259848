"""How the lists that a memory is found in become one score: the reference of what the recall statement computes.

Source: constants.md 2.5 (channels, fusion, ties; Cormack 2009 for reciprocal rank fusion). V25 to V28.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import tanh

_TOLERANCE = 1e-9


def rrf(ranks: Mapping[str, int], weights: Mapping[str, float], *, k: float) -> float:
    """Reciprocal rank fusion: the sum over lists of weight / (k + rank), at least 0.

    Args:
        ranks: rank by channel, from 1; a channel that did not find the memory is left out.
        weights: weight by channel; 0 turns one off.
        k: the constant, greater than 0; the larger, the less the first ranks stand out.

    Raises: KeyError for a channel without a weight.
    """
    return sum(weights[channel] / (k + rank) for channel, rank in ranks.items())


def arousal_factor(arousal: float, *, gain: float) -> float:
    """What the fused score of a memory is multiplied by: 1 + 0.3·a, for an arousal a of 0..1."""
    return 1.0 + gain * arousal


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalRules:
    """The numbers of the signal channel (settings `recall.signal_*`, `decay.theta_dream`)."""

    activation_weight: float = 0.6
    confidence_weight: float = 0.4
    slope: float = 0.5
    min_confidence: float = 0.2
    theta_dream: float = -2.5  # the activation at which its share is one half


def signal(base_level: float, confidence: float, rules: SignalRules) -> float | None:
    """How ready and how believed a memory is, whatever the question; None when it is believed too little.

    0.6 / (1 + exp(-(B - theta_dream) / 0.5)) + 0.4·confidence, in 0..1 with the default weights.

    Args:
        base_level: B, with boost, and with noise where that is on.
        confidence: 0..1.
        rules: the weights, the slope (greater than 0) and the least confidence.
    """
    if confidence < rules.min_confidence - _TOLERANCE:
        return None
    readiness = _logistic((base_level - rules.theta_dream) / rules.slope)
    return rules.activation_weight * readiness + rules.confidence_weight * confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class TieRules:
    """The numbers that part equal scores (settings `recall.tie_*`, `decay.strength_max`)."""

    cosine_weight: float = 0.6
    strength_weight: float = 0.25
    recency_weight: float = 0.15
    recency_days: float = 7.0  # after so many days without access the share of recency is one half
    strength_max: float = 2.0


def tie_score(cosine: float, strength: float, idle_days: float, rules: TieRules) -> float:
    """What orders memories of equal score: 0.6·cosine + 0.25·strength/2 + 0.15 / (1 + days/7).

    Args:
        cosine: to the question, -1..1.
        strength: 0..2.
        idle_days: days since the last access; below 0 counts as 0.
        rules: the weights.
    """
    return (
        rules.cosine_weight * cosine
        + rules.strength_weight * strength / rules.strength_max
        + rules.recency_weight / (1.0 + max(0.0, idle_days) / rules.recency_days)
    )


def _logistic(x: float) -> float:
    """1 / (1 + exp(-x)), written so that no x overflows."""
    return 0.5 * (1.0 + tanh(0.5 * x))
