"""The words of dates in English and Spanish, folded, and whole-word patterns over them.

Folded: small letters without accents, so that "sábado", "Sábado" and "sabado" are one word.
"""

import re
import unicodedata
from collections.abc import Iterable

_MARKS = re.compile("[\u0300-\u036f]")
_ASCII_WORD = re.compile("[a-z]+|[0-9]+")
_ANY_WORD = re.compile("[^\\W\\d_](?:[^\\W\\d_]|[\u0300-\u036f])*|[0-9]+")
DIGITS = "0"  # stands for every run of digits


def folded(text: str) -> str:
    """Small letters without accents."""
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFD", text.lower()))


def placed_words(text: str) -> list[tuple[str, int]]:
    """The words of `text`, folded, with their starts; digits are one word, whatever they are."""
    if text.isascii():
        found = [(match.group(), match.start()) for match in _ASCII_WORD.finditer(text.lower())]
    else:
        found = [(folded(match.group()), match.start()) for match in _ANY_WORD.finditer(text)]
    return [(DIGITS if word[0].isdigit() else word, start) for word, start in found]


def whole_words(source: str) -> re.Pattern[str]:
    """Whole words in any case, any blank between them, accents composed, decomposed or (on vowels) left out."""
    for accented, plain in zip("áéíóú", "aeiou", strict=True):
        source = source.replace(accented, f"(?:{accented}|{plain}\u0301?)")
    source = source.replace("ñ", "(?:ñ|n\u0303)").replace(" ", r"\s{1,3}")
    return re.compile(rf"(?<![\w/-])(?:{source})(?!\w)", re.IGNORECASE)


def one_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def _numbered(words: str, first: int) -> dict[str, int]:
    """A number for each group of words; words of the same number stand between slashes."""
    return {word: number for number, same in enumerate(words.split(), first) for word in same.split("/")}


MONTHS = {
    **_numbered("january february march april may june july august september october november december", 1),
    **_numbered("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", 1),
    **_numbered("jan feb mar apr may jun jul aug sep/sept/setiembre oct nov dec", 1),
}
LONG_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
SHORT_MONTH = "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
MES = "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre"
WORDS_TOO = frozenset({"may", "march", *SHORT_MONTH.split("|")})  # ordinary words, too

WEEKDAYS = {
    **_numbered("monday tuesday wednesday thursday friday saturday sunday", 0),
    **_numbered("mon tue/tues wed thu/thur/thurs fri sat sun", 0),
    **_numbered("lunes martes miercoles jueves viernes sabado domingo", 0),
}
PART = "morning|afternoon|evening|night"
EVERY = ("every", "each", "any", "most")
WEEKDAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
SHORT_WEEKDAY = "mon|tues|tue|wed|thurs|thur|thu|fri|sat|sun"
DIA = "lunes|martes|miércoles|jueves|viernes|sábado|domingo"

NUMBERS = {
    **_numbered("a/an/one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen", 1),
    **_numbered("un/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince", 1),
    "twenty": 20,
    "veinte": 20,
    "thirty": 30,
    "treinta": 30,
}
NUMBER = rf"(?P<number>\d{{1,4}}|{one_of(NUMBERS)})"

UNITS = {
    **dict.fromkeys(("hour", "hours", "hora", "horas"), "hour"),
    **dict.fromkeys(("day", "days", "dia", "dias"), "day"),
    **dict.fromkeys(("week", "weeks", "semana", "semanas"), "week"),
    **dict.fromkeys(("fortnight", "fortnights"), "fortnight"),
    **dict.fromkeys(("weekend", "fin de semana"), "weekend"),
    **dict.fromkeys(("month", "months", "mes", "meses"), "month"),
    **dict.fromkeys(("year", "years", "ano", "anos"), "year"),
}
UNIT = "(?P<unit>hours?|days?|weeks?|fortnights?|months?|years?)"
UNIDAD = "(?P<unit>horas?|días?|semanas?|mes|meses|años?)"
WHOLE = "(?P<unit>week|weekend|month|year)"
ENTERO = "(?P<unit>fin de semana|semana|mes|año)"

STEPS = {
    **dict.fromkeys(("last", "past", "this past", "pasado", "pasada", "ultimo", "ultima", "ultimos", "ultimas"), -1),
    **dict.fromkeys(("this", "earlier this", "later this", "este", "esta"), 0),
    **dict.fromkeys(("next", "coming", "this coming", "que viene", "entrante"), 1),
    **dict.fromkeys(("proximo", "proxima", "proximos", "proximas"), 1),
    "before last": -2,
    "after next": 2,
}
YEAR = r"(?P<year>(?:1[89]|20|21)\d\d)"
