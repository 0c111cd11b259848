"""How much a question asks for, and how many memories answer it.

C = 0.15·min(tokens/20, 1) + 0.25·[coordination] + 0.20·[comparison or aggregation] + 0.20·[why, how, relation]
    + 0.20·min(names/3, 1);    k = clamp(floor(5·(1 + 3·C)), 3, 20)

Source: constants.md 2.5, Depth (kin systems; the numbers are ours). V29, V30, V31.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import floor
from types import MappingProxyType

from graph_memory.domain.cues import cue_list, holds_cue
from graph_memory.domain.intent import INTENT_CUES
from graph_memory.domain.vocabulary import Intent

_TOLERANCE = 1e-9
_QUESTION_MARKS = "?？؟"  # of Latin, full-width and Arabic writing


class Depth(StrEnum):
    """How complex a question is, in a word."""

    SIMPLE = "simple"
    MODERATE = "moderate"
    COMPLEX = "complex"


class Sign(StrEnum):
    """What adds to the complexity of a question."""

    LENGTH = "length"
    COORDINATION = "coordination"
    COMPARISON = "comparison"  # or aggregation
    RELATION = "relation"  # why, how
    NAMES = "names"


DEPTH_WEIGHTS: Mapping[Sign, float] = MappingProxyType(
    {Sign.LENGTH: 0.15, Sign.COORDINATION: 0.25, Sign.COMPARISON: 0.20, Sign.RELATION: 0.20, Sign.NAMES: 0.20}
)
DEPTH_WORDS: Mapping[Sign, tuple[str, ...]] = MappingProxyType(
    {
        Sign.COORDINATION: cue_list("and, or, but, also, then, plus, y, o, pero, además, luego"),
        Sign.COMPARISON: cue_list(
            "compare, compared, comparison, versus, vs, difference, better, worse, best, worst, more, most, less,"
            " least, all, every, each, total, list, count, average, overall, summary, how many, how much, comparar,"
            " diferencia, mejor, peor, más, menos, todos, todas, cada, lista, promedio, resumen, cuántos, cuántas"
        ),
        Sign.RELATION: cue_list("how, relate, related, relation, connection, cómo, relación"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthRules:
    """The words and numbers of depth (settings `recall.depth_*`)."""

    words: Mapping[Sign, tuple[str, ...]] = field(default_factory=lambda: DEPTH_WORDS)
    why_cues: tuple[str, ...] = INTENT_CUES[Intent.WHY]  # they show a relation, too
    weights: Mapping[Sign, float] = field(default_factory=lambda: DEPTH_WEIGHTS)
    full_tokens: int = 20  # from so many on a question counts as long
    full_names: int = 3
    base: float = 5.0
    gain: float = 3.0
    least: int = 3
    most: int = 20
    moderate_from: float = 0.34
    complex_above: float = 0.66


def complexity(query: str, *, names: int, rules: DepthRules) -> float:
    """C, 0..1 with the default weights: how much the question asks for.

    Args:
        query: the question; its tokens stand between blanks.
        names: how many known persons and entities it names.
        rules: the words and weights.
    """
    several = sum(query.count(mark) for mark in _QUESTION_MARKS) > 1
    relation = (*rules.words[Sign.RELATION], *rules.why_cues)
    shown: dict[Sign, float] = {
        Sign.LENGTH: min(len(query.split()) / rules.full_tokens, 1.0),
        Sign.COORDINATION: several or holds_cue(query, rules.words[Sign.COORDINATION]),
        Sign.COMPARISON: holds_cue(query, rules.words[Sign.COMPARISON]),
        Sign.RELATION: holds_cue(query, relation),
        Sign.NAMES: min(names / rules.full_names, 1.0),
    }
    return sum(rules.weights[sign] * value for sign, value in shown.items())


def adaptive_k(complexity: float, rules: DepthRules) -> int:
    """How many memories a question of that complexity is answered with."""
    wanted = floor(rules.base * (1.0 + rules.gain * complexity) + _TOLERANCE)
    return min(rules.most, max(rules.least, wanted))


def depth_of(complexity: float, rules: DepthRules) -> Depth:
    """The word for a complexity: moderate from 0.34 to 0.66."""
    if complexity < rules.moderate_from - _TOLERANCE:
        return Depth.SIMPLE
    return Depth.COMPLEX if complexity > rules.complex_above + _TOLERANCE else Depth.MODERATE
