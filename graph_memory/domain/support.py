"""Whether a message says what somebody drew from it, judged by words: nothing is stored that no message says.

Source: cases.md 28, 31 and 33; constants.md 2.10.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from graph_memory.domain.clauses import clauses_of
from graph_memory.domain.names import capitalised_names
from graph_memory.domain.person_mentions import KINSHIP, persons_in
from graph_memory.domain.statement import Reading, Wording, read
from graph_memory.domain.text import normalised
from graph_memory.domain.word_forms import WordForms, are_opposites, is_number, number

_TOLERANCE = 1e-9
_WORDING = Wording()
# Words by which a report names who speaks, and those by which it joins what was said.
_REPORTING = frozenset("user speaker usuario usuaria person named called who whom whose which what where".split())
_OF_THE_USER = re.compile(r"\s*(?:(?:the|el|la)\s+)?(?:user|usuari[oa]|i|yo)\b(?!['’]s\b)", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:I|we|yo|nosotr[oa]s|me|nos)\b", re.IGNORECASE)
_MOST_CLAUSES = 40  # a longer message is looked at as a whole


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportRules:
    """How much of a text has to stand in its message (settings `curation.extract_support*`)."""

    share: float = 2 / 3  # of its words with content, in the message
    own_share: float = 1 / 2  # the same where the rest stands in the question that the message answers


def supported_by(text: str, message: str, *, asked: str | None = None, rules: SupportRules | None = None) -> bool:
    """Whether `message` says `text`: its words, its names and numbers, and its yes or no.

    Every number and every name of the text stands in the message, and most of its words with content do, in some
    form. The part of the message that holds them denies exactly when the text does, says no word's opposite, and is
    not about somebody else than the user where the text is about the user. A text
    that stands in the message letter for letter is always supported.

    Args:
        asked: the question that the message answers, whose words it need not repeat.
    """
    rules = rules or SupportRules()
    if (own := normalised(text)) and own in normalised(message):
        return True
    reading = read(text, _WORDING)
    tokens = reading.tokens - _REPORTING
    said, heard = read(message, _WORDING), read(f"{message}\n{asked or ''}", _WORDING)
    if not tokens or not (_numbers(reading) <= _numbers(heard) and _names_stand(text, heard)):
        return False
    found = _matched(tokens, said.tokens)
    if not found or not _is_enough(len(found), len(_matched(tokens, heard.tokens)), len(tokens), rules):
        return False
    strange, of_user = tokens - found, _OF_THE_USER.match(text) is not None
    return any(
        not reading.denies_unlike(part := read(each, _WORDING))
        and not _opposed(strange, part)
        and not (of_user and _is_of_another(each, text))
        for each in _parts_with(found, message)
    )


def _is_enough(own: int, heard: int, of: int, rules: SupportRules) -> bool:
    if own / of >= rules.share - _TOLERANCE:
        return True
    return own / of >= rules.own_share - _TOLERANCE and heard == of


def _matched(tokens: Iterable[str], others: frozenset[str]) -> frozenset[str]:
    held = WordForms(others)
    return frozenset(token for token in tokens if token in held)


def _opposed(tokens: Iterable[str], part: Reading) -> bool:
    return any(are_opposites(token, each) for token in tokens for each in part.tokens)


def _is_of_another(part: str, text: str) -> bool:
    """Whether a part of a message is about a relative or a named person, whom the text does not speak of."""
    if _FIRST_PERSON.search(part):
        return False
    kin, persons = KINSHIP.match(part), persons_in(part)
    others = [kin["kin"]] if kin else persons[:1] if persons and part.startswith(persons[0]) else []
    return any(normalised(other) not in normalised(text) for other in others)


def _parts_with(tokens: frozenset[str], message: str) -> list[str]:
    """The shortest runs of clauses that hold the tokens; the whole message where no run does."""
    clauses = clauses_of(message)
    for width in range(1, len(clauses) + 1 if len(clauses) <= _MOST_CLAUSES else 1):
        runs = [
            message[clauses[start].start : clauses[start + width - 1].end] for start in range(len(clauses) - width + 1)
        ]
        if holding := [run for run in runs if len(_matched(tokens, read(run, _WORDING).tokens)) == len(tokens)]:
            return holding
    return [message]


def _numbers(reading: Reading) -> frozenset[str]:
    return frozenset(number(word) for word in reading.words if is_number(word))


def _names_stand(text: str, heard: Reading) -> bool:
    words = WordForms(heard.words)
    named = (word for name in capitalised_names(text) for word in read(name.name, _WORDING).words)
    return all(word in words for word in named if word not in _REPORTING)
