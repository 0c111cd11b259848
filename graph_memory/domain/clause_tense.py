"""Whether a clause speaks of the past or of what is to come, by words that show it, in English and Spanish.

Not grammar: lists of common forms and endings. A clause with signs of both, or of none, is unknown.
"""

import re
import unicodedata
from enum import IntEnum
from itertools import pairwise

_REACH = 200  # characters to each side that are looked at
_CLAUSE_END = re.compile(r"[.!?;:…\n]|\b(?:and|but|so|then|y|pero)\b", re.IGNORECASE)
_CLAUSE_END_OR_COMMA = re.compile(rf"{_CLAUSE_END.pattern}|,", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")

_PAST_WORDS = frozenset(
    """
    did didn't was wasn't were weren't had hadn't been went came got took made said saw met told bought felt found gave
    left ran thought brought taught caught kept lost began spent wrote won held heard stood ate drove flew grew knew
    paid slept spoke swam wore broke chose forgot sent built fell became sold sang

    fui fue fuiste fuimos fueron era eran estaba estaban estuve estuvo estuvimos hice hizo hicimos hicieron tuve tuvo
    tuvimos dije dijo vine vino pude pudo puse puso vi vio dio había tenía hacía iba iban
    """.split()
)
_PAST_ENDINGS = ("ed", "aste", "iste", "aron", "ieron", "é", "ó")
_ARRANGED = frozenset({"scheduled", "planned", "booked", "supposed"})  # with "is" they look ahead
_NO_PAST = _ARRANGED | frozenset(
    """
    need feed seed speed breed bleed weed shed indeed hundred exceed succeed proceed sacred naked embed wicked bed red
    wed ted fed excited engaged interested qué porqué sé té café josé bebé
    """.split()
)
_FUTURE_WORDS = frozenset(
    """
    will won't shall gonna plan plans planning upcoming hoping let's due quiero quiere queremos espero esperamos planeo
    """.split()
)
_FUTURE_ENDINGS = tuple(
    stem + ending for stem in ("ar", "er", "ir", "dr", "br") for ending in ("é", "ás", "á", "emos", "án")
)
_FUTURE_PAIRS = frozenset(
    """
    going to, looking forward, can't wait, hope to, hopes to, want to, wants to, see you, voy a, vas a, va a, vamos a,
    van a, nos vemos
    """.replace("\n", " ")
    .strip()
    .split(", ")
)
_BE = frozenset({"am", "is", "are", "i'm", "we're", "you're", "they're"})


class Tense(IntEnum):
    """Where a clause looks."""

    PAST = -1
    UNKNOWN = 0
    FUTURE = 1


def tense_around(text: str, start: int, end: int, *, commas: bool = False) -> Tense:
    """The tense of the clause around text[start:end]; with `commas` a clause ends at those too.

    The words from `start` to `end` themselves show nothing.
    """
    clause_end = _CLAUSE_END_OR_COMMA if commas else _CLAUSE_END
    *_, opening = clause_end.split(text[max(0, start - _REACH) : start])
    ending = clause_end.split(text[end : end + _REACH], maxsplit=1)[0]
    clause = unicodedata.normalize("NFC", f"{opening} {ending}").lower().replace("’", "'")
    words = _WORD.findall(clause)
    return Tense(_looks_ahead(words) - any(map(_is_past, words)))


def _is_past(word: str) -> bool:
    if word in _PAST_WORDS:
        return True
    return word.endswith(_PAST_ENDINGS) and not word.endswith(_FUTURE_ENDINGS) and word not in _NO_PAST


def _looks_ahead(words: list[str]) -> bool:
    if any(word in _FUTURE_WORDS or word.endswith((*_FUTURE_ENDINGS, "'ll")) for word in words):
        return True
    return any(f"{first} {second}" in _FUTURE_PAIRS or _is_arranged(first, second) for first, second in pairwise(words))


def _is_arranged(first: str, second: str) -> bool:
    """ "I'm going", "we are booked": with a date, the English progressive speaks of what is to come."""
    return first in _BE and (second.endswith("ing") or second in _ARRANGED)
