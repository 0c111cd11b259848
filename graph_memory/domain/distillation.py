"""What is drawn from a cluster: a statement from episodes, a pattern from facts, and how far a pattern is believed.

By rules the member nearest the centroid speaks for all. Source: constants.md 2.1 (initial strength), 2.7, steps 3 to 5
(Agenternal; status of schemas from the literature); operations.md, Bounds of sleep.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from graph_memory.domain.asked import Distillate, InducedSchema, Statement
from graph_memory.domain.names import capitalised_names
from graph_memory.domain.statement import STOP_WORDS
from graph_memory.domain.text import words
from graph_memory.domain.vocabulary import Category
from graph_memory.domain.word_forms import WordForms, has_digit

SUMMARY_CHARACTERS = 500
_TOLERANCE = 1e-9
_SENTENCE_END = re.compile(r"[.!?。！？؟](?=\s|$)")
# What a summary begins with that is nobody's name.
_OPENINGS = STOP_WORDS | frozenset(
    """
    user users someone everyone people several many most some often always usually sometimes regularly recently
    currently every each both all still also there here when while after before since during because although now
    enjoys likes loves prefers wants plans hopes needs works lives feels thinks believes finds values keeps takes goes
    visits meets plays reads writes makes cooks eats drinks studies learns teaches uses owns has is was been
    """.split()
)
_SHORTEST_SHARE = 0.5  # a cut at the end of a sentence may not lose more


class SchemaStatus(StrEnum):
    """How established a schema is."""

    HYPOTHESIS = "hypothesis"
    ACTIVE = "active"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaRules:
    """The numbers of schemas (settings `sleep.schema_*`)."""

    start: float = 0.4  # confidence of one induction
    active: float = 0.6  # from here on a schema is active
    retire_days: float = 30.0
    again_hours: float = 6.0  # an induction sooner after the last is the same one
    same_cosine: float = 0.85  # centroids nearer than this are of one schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is known of a schema from its earlier inductions."""

    confidence: float
    status: SchemaStatus
    inductions: int  # how often it was found
    same_members: int  # how often with the members that it has now
    induced_at: datetime  # when it was found last in a way that counted
    missed_at: datetime | None = None  # since when it is not found any more


def distilled_by_rules(members: Sequence[Statement]) -> Distillate:
    """The member nearest the centroid, which comes first, speaks for all."""
    return Distillate(text=summary_text(members[0].text), category=Category.OTHER)


def schema_by_rules(members: Sequence[Statement]) -> InducedSchema:
    """The same for facts; rules know no domain."""
    return InducedSchema(text=summary_text(members[0].text))


def summary_text(text: str, *, most: int = SUMMARY_CHARACTERS) -> str:
    """A text of at most so many characters: whole sentences where they fill half of it, else whole words."""
    text = text.strip()
    if len(text) <= most:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, most)]
    if ends and ends[-1] >= most * _SHORTEST_SHARE:
        return text[: ends[-1]]
    cut = text[: most - 1]
    blank = cut.rfind(" ")
    return (cut[:blank] if blank >= most * _SHORTEST_SHARE else cut).rstrip() + "…"


def is_supported(text: str, given: Sequence[str]) -> bool:
    """Whether every name and number in a text stands in what it was drawn from: a model may not add any.

    The word that opens a sentence has a capital letter anyway: it is taken for a name unless it is among the ordinary
    openings, or the sources use it in some form.
    """
    known = {_bare(word) for each in given for word in words(each)}
    forms = WordForms(known)
    named = {_bare(word) for mention in capitalised_names(text) for word in words(mention.name)}
    counted = {word for word in words(text) if has_digit(word)}
    opening = {_bare(word) for sentence in _SENTENCE_END.split(text) for word in words(sentence)[:1]}
    return (named | counted) <= known and all(word in forms or word in _OPENINGS for word in opening)


def shared_category(categories: Sequence[Category]) -> Category:
    """The category of most members; of equally many the one that comes first."""
    counted = Counter(categories)
    return max(categories, key=lambda each: counted[each])


def distilled_strength(strengths: Sequence[float], *, least: float = 1.0, most: float = 1.5) -> float:
    """The initial strength of a distilled memory: the largest of its sources, within bounds."""
    return min(most, max(least, *strengths))


def merged_confidence(first: float, second: float) -> float:
    """The confidence of two inductions together: 1 - (1 - a)(1 - b)."""
    return 1.0 - (1.0 - first) * (1.0 - second)


def first_standing(at: datetime, rules: SchemaRules) -> Standing:
    """A schema just found."""
    return Standing(
        confidence=rules.start,
        status=_status(rules.start, 1, rules),
        inductions=1,
        same_members=1,
        induced_at=at,
    )


def induced_again(before: Standing, at: datetime, *, same_members: bool, rules: SchemaRules) -> Standing:
    """A schema found again at `at`; unchanged where that tells nothing new, so that sleep settles.

    Other members are new evidence at once. The same members count once more, after some hours, for the pattern has
    stood; from then on they count no more, as repetition is no evidence (Hertwig 1997).
    """
    soon = at - before.induced_at < timedelta(hours=rules.again_hours) - timedelta(milliseconds=1)
    if same_members and (soon or before.same_members > 1):
        return replace(before, missed_at=None)
    confidence = merged_confidence(before.confidence, rules.start)
    return Standing(
        confidence=confidence,
        status=_status(confidence, before.inductions + 1, rules),
        inductions=before.inductions + 1,
        same_members=before.same_members + 1 if same_members else 1,
        induced_at=at,
    )


def missed(before: Standing, at: datetime) -> Standing:
    """A schema that was not found at `at`."""
    return before if before.missed_at else replace(before, missed_at=at)


def is_to_retire(standing: Standing, at: datetime, rules: SchemaRules) -> bool:
    """Whether a schema was not found again for so long that it no longer counts."""
    if standing.missed_at is None or standing.status is SchemaStatus.RETIRED:
        return False
    return at - standing.missed_at >= timedelta(days=rules.retire_days)


def _bare(word: str) -> str:
    """A word without a possessive ending."""
    return word.removesuffix("'s").removesuffix("’s")


def _status(confidence: float, inductions: int, rules: SchemaRules) -> SchemaStatus:
    established = confidence >= rules.active - _TOLERANCE or inductions > 1
    return SchemaStatus.ACTIVE if established else SchemaStatus.HYPOTHESIS
