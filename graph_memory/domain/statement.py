"""What a text states, read by words: its words in order, the tokens it is compared by, and how often it denies.

A denial is a word or a phrase of a list ("not", "no longer"). Denials are counted, not compared: two of them cancel
out, and a fact and its denial have the same tokens. Scripts without blanks are cut into pairs of characters.

Source: constants.md 2.9, duplicate check (Agent Friday; polarity and scripts are ours).
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain, groupby, pairwise

from graph_memory.domain.identity import name_key
from graph_memory.domain.text import WORD, script_query_terms
from graph_memory.domain.vocabulary import Kind
from graph_memory.domain.word_forms import has_digit

# A word with its vowel signs; a number with the points, commas and colons inside it: 3.14, 18:40.
_WORD = re.compile(rf"{WORD}(?:[.,:]\d+)*")
# In this order: "can't" would leave "ca" behind, "won't" "wo".
_CONTRACTIONS = (
    (re.compile(r"\bnobody\b"), "no one"),
    (re.compile(r"\bno(thing|where)\b"), r"no \1"),
    (re.compile(r"\bcan(?:'t|not)\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
)
_APOSTROPHES = str.maketrans("’ʼ", "''")
_SHORT = 2
_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"))

STOP_WORDS = frozenset(
    """
    the a an is are was were be been being have has had do does did will would could should may might can shall
    to of in for on with at by from as into through during before after and but or so if than that this
    it its they them their he she his her we us our you your i my me
    """.split()
)
NEGATIONS = frozenset({"not", "no", "never", "nunca", "sin"})
NEGATION_PHRASES = ("gave up", "stopped", "quit", "no longer", "used to", "dejé de")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The words that carry no content and those that deny (settings `curation.stop_words`, `curation.negations`)."""

    stop_words: frozenset[str] = STOP_WORDS
    negations: frozenset[str] = NEGATIONS
    negation_phrases: tuple[str, ...] = NEGATION_PHRASES


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a judgement needs to know of a memory."""

    text: str
    kind: Kind = Kind.SEMANTIC
    subjects: frozenset[str] = frozenset()  # ids of the people and entities it is about
    speaker: str | None = None  # None: the user
    bucket: str
    occurred_at: datetime | None = None
    valid_at: datetime
    created_at: datetime

    def same_speaker(self, other: "Statement") -> bool:
        """Whether one voice made both."""
        return name_key(self.speaker or "") == name_key(other.speaker or "")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, read."""

    words: tuple[str, ...]  # all of them in order, without what denies
    tokens: frozenset[str]  # what the duplicate check compares: words with content, without what denies
    denials: int

    @property
    def speaks_of_self(self) -> bool:
        """Whether the same words from another mouth would say something else."""
        return not _FIRST_PERSON.isdisjoint(self.words)

    def denies_unlike(self, other: "Reading") -> bool:
        """Whether one of the two denies and the other does not: odd against even."""
        return (self.denials - other.denials) % 2 == 1


@lru_cache(maxsize=64)  # one new text is judged beside many old ones
def read(text: str, wording: Wording) -> Reading:
    """`text` by its words, folded (NFKC, case), with "n't" and "cannot" read as "not", "nobody" as "no one"."""
    affirmed, denials = _negation_pattern(wording).subn(" ", _folded(text))
    found = _WORD.findall(affirmed)
    words = tuple(found if affirmed.isascii() else chain.from_iterable(map(_by_script, found)))
    return Reading(words, frozenset(word for word in words if _has_content(word, wording.stop_words)), denials)


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Share of the tokens of either that both have, 0..1; 0 when a side has none."""
    return len(first & second) / len(first | second) if first and second else 0.0


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES)
    if "'" in folded or "no" in folded:
        for pattern, spelt_out in _CONTRACTIONS:
            folded = pattern.sub(spelt_out, folded)
    return folded


@lru_cache(maxsize=8)  # one entry for each set of settings
def _negation_pattern(wording: Wording) -> re.Pattern[str]:
    # Longer phrases first, so that "no longer" is one denial and not a "no" with a word after it.
    phrases = sorted({*wording.negations, *wording.negation_phrases}, key=lambda phrase: (-len(phrase), phrase))
    choices = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    return re.compile(rf"\b(?:{choices})\b" if choices else r"(?!)")


def _by_script(word: str) -> Iterator[str]:
    """A word as it is, but for runs of a script without blanks: those give their pairs of characters."""
    if word.isascii():
        yield word
        return
    for unspaced, characters in groupby(word, key=lambda character: bool(script_query_terms(character))):
        run = "".join(characters)
        if unspaced and len(run) > 1:
            yield from map("".join, pairwise(run))
        else:
            yield run


def _has_content(word: str, stop_words: frozenset[str]) -> bool:
    if word in stop_words:
        return False
    return len(word) > _SHORT or has_digit(word) or bool(not word.isascii() and script_query_terms(word))
