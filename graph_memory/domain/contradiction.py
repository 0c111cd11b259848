"""When two statements exclude each other, which of them yields, and what that costs it.

Words show three kinds of conflict: opposite polarity ("eats fish", "does not eat fish"), a changed number or date
("12 m", "14 m"), and a turn to the opposite ("is open", "is closed"). None of them counts, and no model's verdict does,
unless both statements are about the same attribute of the same subject, which is judged here by words and ids alone.

Source: constants.md 2.6 (Agenternal) and 2.9; cases.md group G.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from math import exp

from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.statement import STOP_WORDS, Reading, Statement, Wording, read
from graph_memory.domain.vocabulary import Category
from graph_memory.domain.word_forms import WordForms, are_opposites, has_one_value, is_number, number, related

_PRONOUNS = frozenset("i me my we us our you your he him his she her they them their it its".split())
_COPULAS = frozenset(("am", "is", "are", "was", "were"))
_ARTICLES = frozenset(("a", "an", "the"))
# Words between subject and relation that change neither.
_ASIDES = frozenset("am there now currently recently still already just today also really any more anymore".split())
_NO_ATTRIBUTE = (STOP_WORDS | _ASIDES) - _PRONOUNS
_HEAD = 2  # subject and relation: "Ines trains", "I cycle", "shop open"


class Conflict(StrEnum):
    """How the newer of two statements excludes the other."""

    REPLACE = "replace"  # the other held until now
    NEGATE = "negate"  # the other was never true


class Side(StrEnum):
    """One of the two statements of a judgement."""

    NEW = "new"
    OLD = "old"


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyRules:
    """What a contradiction costs (settings `curation.beta_*` and `salience.category_evidence`)."""

    beta_min: float = 0.2
    beta_max: float = 0.85
    category_evidence: Mapping[Category, float] = field(
        default_factory=lambda: {
            Category.DECISION: 1.0,
            Category.FACT: 0.9,
            Category.PREFERENCE: 0.75,
            Category.OPINION: 0.6,
            Category.OTHER: 0.85,
            Category.PATTERN: 0.85,
            Category.CONTEXT: 0.85,
            Category.IDENTITY: 0.9,
            Category.RELATIONSHIP: 0.9,
            Category.PROFESSIONAL: 0.9,
        }
    )

    def beta(self, strength: float, category: Category) -> float:
        """The factor for the old memory's base strength, by the category of the new one."""
        return penalty(strength, self.category_evidence[category], beta_min=self.beta_min, beta_max=self.beta_max)


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The ends that a conflict sets on the statement that yields."""

    invalid_at: datetime
    expired_at: datetime
    archived: bool


def penalty(strength: float, evidence: float, *, beta_min: float, beta_max: float) -> float:
    """Share of its base strength that a contradicted memory keeps. β = βmin + (βmax - βmin)·exp(-c / s).

    A weak memory loses most of it, a strong one resists; better evidence against it costs more.

    Args:
        strength: s, the old memory's strength now, greater than 0 (a strength has a floor).
        evidence: c, how well the new memory's category is evidence, 0..1; never a model's own certainty.

    Returns: a share in [beta_min, beta_max].

    Source: constants.md 2.6 (Agenternal); vectors V08, V09.
    """
    return beta_min + (beta_max - beta_min) * exp(-max(0.0, evidence) / strength)


def closing(conflict: Conflict, *, valid_at: datetime, at: datetime) -> Closing:
    """How the yielding statement ends: in the world when the winner begins; if negated, for us too, at `at`."""
    negated = conflict is Conflict.NEGATE
    return Closing(invalid_at=valid_at, expired_at=at if negated else FAR_FUTURE, archived=negated)


def winner(new: Statement, old: Statement) -> Side | None:
    """Which of two that exclude each other stays: the later in the world, then the later told; None: neither."""
    ours, theirs = (new.valid_at, new.created_at), (old.valid_at, old.created_at)
    if ours == theirs:
        return None
    return Side.NEW if ours > theirs else Side.OLD


def may_retire(new: Statement, old: Statement, wording: Wording) -> bool:
    """Whether a conflict that somebody claims can be one: the same attribute of the same subject.

    Asked before any verdict takes effect, whoever gave it. It is strict: in doubt both statements stay.
    """
    ours, theirs = read(new.text, wording), read(old.text, wording)
    one_voice = new.same_speaker(old) or not (ours.speaks_of_self or theirs.speaks_of_self)
    return one_voice and _same_ids(new, old) and same_attribute(ours, theirs)


def same_attribute(new: Reading, old: Reading) -> bool:
    """Whether both say something of one attribute of one subject, and cannot hold side by side.

    Both begin with the same two words that matter, subject and relation, and name the same thing before "is". Then
    either the attribute has one value at a time, or both speak of the same object.
    """
    ours, theirs = _Clause.of(new), _Clause.of(old)
    if not (ours.is_headed_like(theirs) and theirs.is_headed_like(ours)):
        return False
    if not new.denies_unlike(old) and ours.has_one_value and theirs.has_one_value:
        return True
    return not ours.rest or not theirs.rest or any(related(word, other) for word in ours.rest for other in theirs.rest)


def denies(new: Reading, old: Reading) -> bool:
    """Whether one denies what the other affirms: every word of the denial stands in it, but for dates and asides.

    A denial with words of its own is narrower: who does not eat fish at work may still eat fish.
    """
    if not new.denies_unlike(old) or not new.tokens or not old.tokens:
        return False
    denial, affirmed = (new, old) if new.denials > old.denials else (old, new)
    return not _with_attribute(_unmatched(denial.tokens, affirmed.tokens))


def changes_number(new: Reading, old: Reading) -> bool:
    """Whether the tokens are equal but for numbers or dates, and each has one that the other has not."""
    if new.denies_unlike(old) or not (any(map(is_number, new.tokens)) and any(map(is_number, old.tokens))):
        return False
    ours, theirs = _unmatched(new.tokens, old.tokens), _unmatched(old.tokens, new.tokens)
    return bool(ours) and bool(theirs) and all(map(is_number, (*ours, *theirs)))


def turns_to_opposite(new: Reading, old: Reading) -> bool:
    """Whether the words are equal but for one, the relation or what follows "is", that turns into its opposite."""
    ours, theirs = set(new.words) - set(old.words), set(old.words) - set(new.words)
    if len(ours) != 1 or len(theirs) != 1 or new.denies_unlike(old):
        return False
    [our_word], [their_word] = ours, theirs
    return are_opposites(our_word, their_word) and our_word in _Clause.of(new).turning_points


def says_no_more(new: Reading, old: Reading) -> bool:
    """Whether every word of `new` stands in `old`, in the same order; articles aside, numbers in any spelling."""
    remaining = iter(_telling(old.words))
    return all(word in remaining for word in _telling(new.words))


@dataclass(frozen=True, slots=True)
class _Clause:
    """A statement by its parts, as far as the order of its words shows them; numbers are left out."""

    words: list[str]
    named: list[str]  # what stands before "is"
    value: str  # the word after "is"

    @classmethod
    def of(cls, reading: Reading) -> "_Clause":
        copula = next((place for place, word in enumerate(reading.words) if word in _COPULAS), None)
        words = _with_attribute(reading.words)
        if copula is None:
            return cls(words, [], "")
        value = next((word for word in reading.words[copula + 1 :] if word not in _ARTICLES | _ASIDES), "")
        return cls(words, _with_attribute(reading.words[:copula]), value)

    @property
    def head(self) -> list[str]:
        """Subject and relation."""
        return self.words[:_HEAD]

    @property
    def rest(self) -> list[str]:
        """What is said."""
        return self.words[_HEAD:]

    @property
    def has_one_value(self) -> bool:
        return len(self.named) >= _HEAD or any(map(has_one_value, self.head))

    @property
    def turning_points(self) -> set[str]:
        """Where a word decides what is claimed: after the subject or after "is", not within a name."""
        return ({*self.head[1:]} - {*self.named}) | {self.value}

    def is_headed_like(self, other: "_Clause") -> bool:
        heads = all(any(related(word, each) for each in other.words) for word in self.head)
        shorter, longer = sorted((self.named, other.named), key=len)
        return heads and not _unmatched(shorter, longer)


def _same_ids(new: Statement, old: Statement) -> bool:
    return new.subjects <= old.subjects or old.subjects <= new.subjects


def _with_attribute(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _NO_ATTRIBUTE and not is_number(word)]


def _telling(words: Iterable[str]) -> list[str]:
    return [number(word) for word in words if word not in _ARTICLES]


def _unmatched(words: Iterable[str], others: Iterable[str]) -> list[str]:
    """Those of `words` that stand in `others` in no form."""
    held = WordForms(others)
    return [word for word in words if word not in held]
