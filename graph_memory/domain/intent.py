"""What a question asks for, by its words, and how strongly that draws activation along each family of links.

Source: constants.md 2.5, Intent (Mnemosyne; the matrix is ours after MAGMA). V32.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from graph_memory.domain.cues import cue_list, holds_cue
from graph_memory.domain.link import LinkFamily
from graph_memory.domain.vocabulary import Intent

Cues = Mapping[Intent, tuple[str, ...]]
FamilyWeights = Mapping[LinkFamily, float]

# The order in which the families of cues are tried; a question without any is general.
_IN_ORDER = (Intent.WHY, Intent.WHEN, Intent.ENTITY, Intent.EMOTION)

INTENT_CUES: Cues = MappingProxyType(
    {
        Intent.WHY: cue_list("why, because, cause, reason, lead to, result, por qué, porque, causa, razón, motivo"),
        Intent.WHEN: cue_list(
            "when, time, date, before, after, during, while, cuándo, fecha, antes, después, durante, mientras"
        ),
        Intent.ENTITY: cue_list("who, whom, whose, which person, which entity, quién, cuál, de quién"),
        Intent.EMOTION: cue_list(
            "feel, mood, emotion, happy, sad, angry, afraid, siente, ánimo, triste, feliz, enfado, miedo"
        ),
    }
)
# The families that are walked, in the order of the columns of the matrix.
WALKED = (LinkFamily.CAUSAL, LinkFamily.TEMPORAL, LinkFamily.ENTITY, LinkFamily.EMOTIONAL, LinkFamily.SEMANTIC)


def _row(*weights: float) -> FamilyWeights:
    return MappingProxyType(dict(zip(WALKED, weights, strict=True)))


INTENT_WEIGHTS: Mapping[Intent, FamilyWeights] = MappingProxyType(
    {
        Intent.WHY: _row(0.65, 0.20, 0.05, 0.05, 0.05),
        Intent.WHEN: _row(0.10, 0.65, 0.10, 0.05, 0.10),
        Intent.ENTITY: _row(0.05, 0.05, 0.55, 0.05, 0.30),
        Intent.EMOTION: _row(0.10, 0.10, 0.05, 0.60, 0.15),
        Intent.GENERAL: _row(0.20, 0.20, 0.20, 0.20, 0.20),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentRules:
    """The cues of each intent and what it draws along (settings `recall.intent_*`)."""

    cues: Cues = field(default_factory=lambda: INTENT_CUES)
    weights: Mapping[Intent, FamilyWeights] = field(default_factory=lambda: INTENT_WEIGHTS)
    even_weight: float = 0.20  # the weight that gives gain 1: a fifth, as if the families were equal
    other_weight: float = 0.01  # of a type outside the five families
    gain_min: float = 0.25
    gain_max: float = 2.0


def intent_of(query: str, cues: Cues) -> Intent:
    """The first intent of WHY, WHEN, ENTITY, EMOTION one of whose cues the question holds; else GENERAL."""
    return next((intent for intent in _IN_ORDER if holds_cue(query, cues.get(intent, ()))), Intent.GENERAL)


def gain(weight: float, rules: IntentRules) -> float:
    """g, by which activation along a family is multiplied: g = clip(w / 0.20, 0.25, 2.0)."""
    return min(rules.gain_max, max(rules.gain_min, weight / rules.even_weight))


def gains(intent: Intent, rules: IntentRules) -> dict[LinkFamily, float]:
    """The gain of every family under an intent."""
    weights = rules.weights[intent]
    return {family: gain(weights.get(family, rules.other_weight), rules) for family in LinkFamily}
