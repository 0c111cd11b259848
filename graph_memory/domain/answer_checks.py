"""Turns what a language model answered into what it was asked for; what does not keep the promise is left out.

Each check takes an answer's value with what was given, and returns the value that may be used and how many items were
left out of it. Ids that were not given, people whom the texts do not name, facts without support in their message,
conflicts that rest on the model's word alone: all of them fall here, whoever the model is. An answer of which nothing
can be used raises InferenceError.

Source: constants.md 2.10; cases.md groups I and J.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from graph_memory.domain.asked import (
    ContradictionProposal,
    CurationProposal,
    Distillate,
    EpisodeDigest,
    EpisodeLine,
    Extraction,
    InducedSchema,
    Insight,
    LinkablePair,
    LinkProposal,
    Question,
    RefinementProposal,
    RefinementVerdict,
    RelationshipSigns,
    Statement,
    Utterance,
)
from graph_memory.domain.bounds import within_one
from graph_memory.domain.extraction import ExtractionRules
from graph_memory.domain.extraction_check import sound
from graph_memory.domain.grounding import (
    counts_nothing_new,
    is_refusal,
    is_supported,
    keeps_all,
    names_nobody_new,
    refuses,
)
from graph_memory.domain.identity import tidy_name
from graph_memory.domain.link import FAMILY, SYSTEM_ONLY, LinkFamily
from graph_memory.domain.memory import Emotion
from graph_memory.domain.support import SupportRules
from graph_memory.domain.text import is_blank, normalised, text_problems
from graph_memory.domain.vocabulary import Category, MemoryId, WriteOperation
from graph_memory.errors import InferenceError

T = TypeVar("T")
Checked = tuple[T, int]

_PROPOSED = frozenset({LinkFamily.CAUSAL, LinkFamily.TEMPORAL, LinkFamily.ENTITY, LinkFamily.EMOTIONAL})
_INSIGHT_CATEGORIES = frozenset({Category.PREFERENCE, Category.PATTERN, Category.PROFESSIONAL, Category.IDENTITY})
_NAME_CHARACTERS = 100
_TOPIC_WORDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRules:
    """The numbers of the checks (settings `model.*`)."""

    support: float = 1 / 3  # least share of the words of a joke, reference or decision that must have been said
    most_characters: int = 500  # of one text that a model writes (operations.md, bounds of sleep)
    most_insights: int = 3  # constants.md 2.7
    extraction: ExtractionRules = field(default_factory=ExtractionRules)
    extraction_support: SupportRules = field(default_factory=SupportRules)


def extraction(
    value: Extraction, utterances: Sequence[Utterance], *, rules: AnswerRules, **_: object
) -> Checked[Extraction]:
    """What its messages say (domain/extraction_check.py). Raises InferenceError where all there was is a refusal."""
    checked = sound(value, utterances, rules=rules.extraction, support=rules.extraction_support)
    nothing = checked.extraction == Extraction()
    if nothing and any(is_refusal(each.text) for each in (*value.facts, *value.observations)):
        raise InferenceError("the model refused to read the conversation")
    return checked.extraction, checked.dropped


def emotion(value: tuple[Emotion, ...], texts: Sequence[str], **_: object) -> Checked[tuple[Emotion, ...]]:
    """One for each text, within bounds."""
    if len(value) != len(texts):
        raise InferenceError(f"the model gave {len(value)} emotions for {len(texts)} texts")
    return tuple(map(_within_bounds, value)), 0


def curation(
    value: CurationProposal, text: str, candidates: Sequence[Statement], *, rules: AnswerRules
) -> Checked[CurationProposal]:
    """About one of the candidates, or an ADD: what is new is never lost to an id that was not given."""
    if value.operation is WriteOperation.ADD:
        return CurationProposal(operation=WriteOperation.ADD, reason=_short(value.reason, rules)), 0
    target = next((each for each in candidates if each.id == value.target_id), None)
    if target is None:
        return CurationProposal(operation=WriteOperation.ADD, reason="the model named no known statement"), 1
    merged = value.text if value.operation is WriteOperation.UPDATE and not value.replacing else None
    if merged is not None and not _is_merged(merged, (target.text, text), rules):
        return CurationProposal(operation=WriteOperation.ADD, reason="the merged text loses or invents something"), 1
    return replace(value, text=merged, reason=_short(value.reason, rules)), 0


def contradiction(
    value: tuple[ContradictionProposal, ...], newer: Statement, candidates: Sequence[Statement], *, rules: AnswerRules
) -> Checked[tuple[ContradictionProposal, ...]]:
    """One for each candidate at most; none conflicts that is not of the same subject and attribute, by its own word."""
    given = {each.id for each in candidates} - {newer.id}
    kept: dict[MemoryId, ContradictionProposal] = {}
    for each in value:
        if each.id in given and not (each.conflicts and each.conflict is None):
            agreed = each.conflicts and each.same_subject and each.same_attribute
            conflict = each.conflict if agreed else None
            checked = replace(each, conflicts=agreed, conflict=conflict, reason=_short(each.reason, rules))
            kept.setdefault(each.id, checked)
    return tuple(kept.values()), len(value) - len(kept)


def refinement(value: RefinementProposal, known: str, said: str, *, rules: AnswerRules) -> Checked[RefinementProposal]:
    """A refined text made of nothing but the two, that loses no name and no number of the known one."""
    if value.verdict is not RefinementVerdict.REFINE:
        return replace(value, text=None, reason=_short(value.reason, rules)), 0
    if value.text is None or not _is_drawn(value.text, (known, said), rules) or not keeps_all(value.text, (known,)):
        return RefinementProposal(verdict=RefinementVerdict.UNRELATED, reason="the text loses or invents something"), 1
    return replace(value, reason=_short(value.reason, rules)), 0


def distillate(value: Distillate, members: Sequence[Statement], *, rules: AnswerRules) -> Checked[Distillate]:
    """Raises InferenceError for one that the members do not bear out."""
    _require_drawn(value.text, [each.text for each in members], rules)
    return replace(value, text=_tidy(value.text)), 0


def induced_schema(value: InducedSchema, members: Sequence[Statement], *, rules: AnswerRules) -> Checked[InducedSchema]:
    """Raises InferenceError for one that the members do not bear out."""
    _require_drawn(value.text, [each.text for each in members], rules)
    domain = tidy_name(value.domain) if value.domain and len(value.domain) <= _NAME_CHARACTERS else None
    return replace(value, text=_tidy(value.text), domain=domain or None), 0


def links(
    value: tuple[LinkProposal, ...], pairs: Sequence[LinkablePair], *, rules: AnswerRules
) -> Checked[tuple[LinkProposal, ...]]:
    """At most one for each pair given, between its two, of a family that is asked for."""
    given = {frozenset((each.first.id, each.second.id)) for each in pairs}
    kept: dict[frozenset[str], LinkProposal] = {}
    for each in value:
        ends = frozenset((each.source, each.target))
        if len(ends) == 2 and ends in given and each.type not in SYSTEM_ONLY and FAMILY[each.type] in _PROPOSED:
            confidence = within_one(_finite(each.confidence))
            kept.setdefault(ends, replace(each, confidence=confidence, reason=_short(each.reason, rules)))
    return tuple(kept.values()), len(value) - len(kept)


def episode(value: EpisodeDigest, utterances: Sequence[Utterance], *, rules: AnswerRules) -> Checked[EpisodeDigest]:
    """Raises InferenceError where the summary is empty, refuses, or speaks of people who were not."""
    spoken = _spoken(utterances)
    if not _is_sound(value.summary, spoken, most=2 * rules.most_characters):
        raise InferenceError("the model gave no usable summary")
    topics = _distinct(each for each in value.topics if 1 <= len(each.split()) <= _TOPIC_WORDS)
    decisions = _distinct(each for each in value.key_decisions if is_supported(each, spoken, least=rules.support))
    importance = within_one(_finite(value.importance))
    checked = replace(
        value, summary=_tidy(value.summary), topics=topics, key_decisions=decisions, importance=importance
    )
    return checked, len(value.topics) - len(topics) + len(value.key_decisions) - len(decisions)


def relationship(
    value: RelationshipSigns,
    utterances: Sequence[Utterance],
    *,
    known_jokes: Sequence[str] = (),
    rules: AnswerRules,
) -> Checked[RelationshipSigns]:
    """Jokes that are new and references that were made; a mood of one word."""
    spoken, known = _spoken(utterances), set(map(normalised, known_jokes))

    def heard(texts: Iterable[str]) -> tuple[str, ...]:
        return _distinct(each for each in texts if is_supported(each, spoken, least=rules.support))

    jokes = tuple(each for each in heard(value.new_inside_jokes) if normalised(each) not in known)
    references = heard(value.shared_references)
    notes = {
        tidy_name(trait): _tidy(note)
        for trait, note in value.communication_notes.items()
        if _is_label(trait) and _is_label(note) and not is_refusal(note)
    }
    mood = (
        tidy_name(value.mood).lower() if value.mood and _is_label(value.mood) and len(value.mood.split()) == 1 else None
    )
    checked = RelationshipSigns(
        new_inside_jokes=jokes, shared_references=references, communication_notes=notes, mood=mood
    )
    before = len(value.new_inside_jokes) + len(value.shared_references) + len(value.communication_notes)
    return checked, before - len(jokes) - len(references) - len(notes) + (value.mood is not None and mood is None)


def merged(value: str, statements: Sequence[Statement], *, rules: AnswerRules) -> Checked[str]:
    """Raises InferenceError for a text that loses a name or number of theirs, or has one of its own."""
    texts = [each.text for each in statements]
    if not _is_merged(value, texts, replace(rules, most_characters=max(rules.most_characters, *map(len, texts)))):
        raise InferenceError("the merged text loses or invents something")
    return _tidy(value), 0


def insights(
    value: tuple[Insight, ...], episodes: Sequence[EpisodeLine], *, known_facts: Sequence[str] = (), rules: AnswerRules
) -> Checked[tuple[Insight, ...]]:
    """The first few that the episodes bear out and nobody knew."""
    sources = [text for each in episodes for text in (each.summary, *each.topics)]
    known = set(map(normalised, known_facts))
    kept = [
        each
        for each in value
        if each.category in _INSIGHT_CATEGORIES
        and normalised(each.text) not in known
        and _is_drawn(each.text, sources, rules)
    ][: rules.most_insights]
    return tuple(replace(each, text=_tidy(each.text)) for each in kept), len(value) - len(kept)


CHECKS: Mapping[Question, Callable[..., Checked[Any]]] = {
    Question.EXTRACT: extraction,
    Question.EMOTION: emotion,
    Question.CURATE: curation,
    Question.CONTRADICT: contradiction,
    Question.REFINE: refinement,
    Question.DISTIL: distillate,
    Question.SCHEMA: induced_schema,
    Question.LINKS: links,
    Question.EPISODE: episode,
    Question.RELATIONSHIP: relationship,
    Question.MERGE: merged,
    Question.INSIGHTS: insights,
}


# Texts


def _is_sound(text: str, sources: Sequence[str], *, most: int) -> bool:
    """Whether a text can be stored, answers rather than refuses, and names nobody whom the sources do not name."""
    storable = not text_problems("text", text, most_characters=most)
    return storable and not refuses(text, sources) and names_nobody_new(text, sources)


def _is_drawn(text: str, sources: Sequence[str], rules: AnswerRules) -> bool:
    """Whether a text is made of its sources: it shares words with them, and has no name or number of its own."""
    usable = _is_sound(text, sources, most=rules.most_characters) and counts_nothing_new(text, sources)
    return usable and is_supported(text, sources, least=0.0)


def _require_drawn(text: str, sources: Sequence[str], rules: AnswerRules) -> None:
    if not _is_drawn(text, sources, rules):
        raise InferenceError("the model's text is not drawn from what it was given")


def _is_merged(text: str, sources: Sequence[str], rules: AnswerRules) -> bool:
    return _is_drawn(text, sources, rules) and keeps_all(text, sources)


def _is_label(text: str) -> bool:
    return not is_blank(text) and len(text) <= _NAME_CHARACTERS


def _tidy(text: str) -> str:
    return text.strip()


def _short(reason: str | None, rules: AnswerRules) -> str | None:
    return reason[: rules.most_characters] if reason and not is_blank(reason) else None


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Each text once, in order, in its first spelling."""
    kept: dict[str, str] = {}
    for text in texts:
        if not is_blank(text):
            kept.setdefault(normalised(text), _tidy(text))
    return tuple(kept.values())


# Numbers


def _finite(number: float) -> float:
    return number if math.isfinite(number) else 0.0


def _within_bounds(felt: Emotion) -> Emotion:
    numbers = {each.name: within_one(_finite(getattr(felt, each.name))) for each in fields(Emotion)}
    return Emotion(**{**numbers, "valence": max(-1.0, min(1.0, _finite(felt.valence)))})


def _spoken(utterances: Sequence[Utterance]) -> list[str]:
    """All that was said, and the names of those who said it."""
    return [each.text for each in utterances] + sorted({each.speaker for each in utterances if each.speaker})
