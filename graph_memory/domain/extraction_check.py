"""What of a drawn extraction may be stored: the messages say it, whoever drew it, rules or a model.

Source: constants.md 2.1 (fallback of categories), 2.8 (persons) and 2.10; cases.md 28 to 33.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import TypeVar

from graph_memory.domain.asked import Extraction, PersonMention, StatedDecision, StatedFact, Utterance
from graph_memory.domain.clauses import clauses_of
from graph_memory.domain.extraction import (
    MACHINES,
    ExtractionRules,
    day_named,
    once_a_message,
    own_names,
    speaks_for_itself,
)
from graph_memory.domain.grounding import refuses
from graph_memory.domain.identity import name_key, tidy_name
from graph_memory.domain.people import EvidenceType, mentions_of_others
from graph_memory.domain.people import PersonMention as NamedPerson
from graph_memory.domain.person_mentions import is_self
from graph_memory.domain.support import SupportRules, supported_by
from graph_memory.domain.text import normalised, text_problems
from graph_memory.domain.vocabulary import Category

_LABEL_CHARACTERS = 64
_NAME_CHARACTERS = 100
_WORD = re.compile(r"\w+")

Stated = TypeVar("Stated", StatedFact, StatedDecision)


@dataclass(frozen=True, slots=True)
class Sound:
    """What may be stored, and how many items had to be left out."""

    extraction: Extraction
    dropped: int


def sound(
    drawn: Extraction,
    utterances: Sequence[Utterance],
    *,
    zone: tzinfo = UTC,
    rules: ExtractionRules | None = None,
    support: SupportRules | None = None,
) -> Sound:
    """The items that their message says, said by who speaks for themselves; days are reckoned anew, by the rules."""
    check = _Check(utterances, zone, rules or ExtractionRules(), support or SupportRules())
    kept = Extraction(
        facts=once_a_message(check.facts(drawn.facts, Category.IDENTITY)),
        observations=once_a_message(check.facts(drawn.observations, Category.PATTERN)),
        decisions=once_a_message(check.decisions(drawn.decisions)),
        persons=tuple(dict.fromkeys(check.persons(drawn.persons))),
    )
    return Sound(kept, _size(drawn) - _size(kept))


@dataclass(frozen=True, slots=True)
class _Check:
    utterances: Sequence[Utterance]
    zone: tzinfo
    rules: ExtractionRules
    support: SupportRules

    def facts(self, drawn: Iterable[StatedFact], fallback: Category) -> Iterator[StatedFact]:
        for each in drawn:
            if self._is_said(each):
                text = each.text.strip()
                day = day_named(text, self.utterances[each.utterance].at, zone=self.zone)
                yield replace(each, text=text, category=_category(each.category, fallback), occurred_at=day)

    def decisions(self, drawn: Iterable[StatedDecision]) -> Iterator[StatedDecision]:
        for each in drawn:
            if self._is_said(each):
                reasoning = each.reasoning.strip() if each.reasoning and self._supports(each, each.reasoning) else None
                yield replace(each, text=each.text.strip(), reasoning=reasoning or None, domain=_label(each.domain))

    def persons(self, drawn: Iterable[PersonMention]) -> Iterator[PersonMention]:
        """Those whom their message names, never who speaks; a context that it does not give is its own clause."""
        for each in drawn:
            if not self._is_heard(each.utterance) or not self._is_another(each):
                continue
            clause = self._clause_naming(each)
            if clause is None:
                continue
            given = each.context if each.context and self._supports(each, each.context) else clause
            felt = each.sentiment if math.isfinite(each.sentiment) else 0.0
            yield replace(
                each,
                name=tidy_name(each.name),
                context=given[: self.rules.most_characters],
                sentiment=max(-1.0, min(1.0, felt)),
                domains=_domains(each.domains, self.rules.most_domains),
                evidence_type=_evidence(each.evidence_type),
            )

    def _is_said(self, stated: StatedFact | StatedDecision) -> bool:
        most = self.rules.most_characters
        sound_text = not text_problems("text", stated.text, most_characters=most)
        if not sound_text or not self._is_heard(stated.utterance):
            return False
        refused = refuses(stated.text, [self.utterances[stated.utterance].text])
        return not refused and self._supports(stated, stated.text)

    def _is_heard(self, place: int) -> bool:
        return 0 <= place < len(self.utterances) and speaks_for_itself(self.utterances[place])

    def _supports(self, stated: StatedFact | StatedDecision | PersonMention, text: str) -> bool:
        message = self.utterances[stated.utterance].text
        return supported_by(text, message, asked=self._question_before(stated.utterance), rules=self.support)

    def _question_before(self, place: int) -> str | None:
        before = self.utterances[place - 1].text if place > 0 else ""
        return before if before.rstrip().endswith(("?", "？", "؟")) else None

    def _is_another(self, mention: PersonMention) -> bool:
        speaker = self.utterances[mention.utterance].speaker
        selves = own_names(self.utterances) | ({speaker} if speaker else frozenset())
        if not mention.name.strip() or len(mention.name) > _NAME_CHARACTERS or name_key(mention.name) in MACHINES:
            return False
        named = NamedPerson(name=mention.name)
        return not is_self(mention.name, selves) and bool(mentions_of_others([named], own_names=selves))

    def _clause_naming(self, mention: PersonMention) -> str | None:
        """The first clause of the message that holds the name; None: none does, or only as part of a word."""
        message = self.utterances[mention.utterance].text
        clauses = (clause.text for clause in clauses_of(message))
        return next((text for text in (*clauses, message) if _holds_name(text, mention.name)), None)


def _holds_name(text: str, name: str) -> bool:
    spoken, wanted = normalised(text), normalised(name)
    if not wanted.isascii() and wanted in spoken:  # scripts without blanks have no word bounds
        return True
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", spoken) is not None


def _category(given: Category, fallback: Category) -> Category:
    """The category, or the fallback of its horizon for one that is none (constants.md 2.1)."""
    return Category(given) if given in set(Category) else fallback


def _evidence(given: str) -> str:
    return given if given in {each.value for each in EvidenceType} else EvidenceType.OBSERVED.value


def _domains(given: Iterable[str], most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label for each in given if (label := _label(each))))[:most]


def _label(given: str | None) -> str | None:
    tidy = tidy_name(given or "")
    return tidy if tidy and len(tidy) <= _LABEL_CHARACTERS and _WORD.search(tidy) else None


def _size(value: Extraction) -> int:
    return len(value.facts) + len(value.observations) + len(value.decisions) + len(value.persons)
