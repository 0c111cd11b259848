"""What a question asks about time: the days that it names, and whether it asks when.

A year that stands alone names its days here more often than in `relative_dates`: what a question names narrows a
search and is not stored, so a wrong span costs little ("the 2022 trip", "the summer of 2022").

Source: constants.md 2.5; ranking.md, the features `date` and `time`.
"""

import re
from datetime import UTC, datetime, tzinfo

from graph_memory.domain import calendar_spans as calendar
from graph_memory.domain.calendar_spans import Span
from graph_memory.domain.cues import before_cue, cue_list, holds_cue
from graph_memory.domain.date_language import DIA, LONG_MONTH, MES, NUMBERS, WEEKDAY, YEAR, one_of, whole_words
from graph_memory.domain.relative_dates import date_mentions

WHEN_CUES = cue_list("when, what time, what date, how long ago, cuándo, qué fecha, a qué hora, hace cuánto")
_QUESTION_WORDS = cue_list("who, whom, whose, what, which, where, why, how, qué, quién, cuál, dónde, cómo")
_SENTENCE_END = re.compile(r"[.!?;:¿¡]")
_JOINED = re.compile(r"(?:,|\b(?:and|or|y|o))\s*$")

_YEAR_ALONE = re.compile(rf"(?<![\w.,:/$€£#-]){YEAR}(?![\w:/%-]|[.,]\d)")
_SOME_MONDAY = datetime(2001, 1, 1, 12, tzinfo=UTC)  # whichever: only whether a day is named is asked
_COUNT = rf"(?:\d{{1,4}}|{one_of(word for word in NUMBERS if word not in ('a', 'an', 'un', 'una'))})"
_UNIT = "(?:minutes?|hours?|days?|nights?|weeks?|weekends?|months?|years?|decades?)"
_UNIDAD = "(?:minutos?|horas?|días?|noches?|semanas?|mes|meses|años?|décadas?)"
_SEASON = "(?:spring|summer|autumn|fall|winter|christmas|easter)"
_TIME_WORDS = whole_words(
    "|".join(
        (
            rf"(?:{_COUNT}|last|past|this|next|every|each|few|several|some|couple of) {_UNIT}",
            rf"(?:{_COUNT}|cada|este|esta|estos|estas|unos|unas|pocos|pocas|varios|varias|últimos|últimas) {_UNIDAD}",
            rf"{_UNIT} (?:ago|later|earlier)|ago|recently|lately|nowadays|hace (?:poco|mucho|tiempo)|recientemente",
            rf"(?:{WEEKDAY})s?|(?:{DIA})s?|(?:{LONG_MONTH.replace('march|', '').replace('may|', '')})|{MES}",
            rf"(?:last|this|next|in|every|during) (?:the )?{_SEASON}|(?:próximo|pasado|este) (?:verano|otoño|invierno)",
            r"\d{1,2}:\d\d|\d{1,2}\s?[ap]\.?m|\d{1,2} o['’]clock|at (?:noon|midnight|dawn)|a las? \d{1,2}|mediodía",
        )
    )
)


def asked_days(query: str, at: datetime, *, zone: tzinfo = UTC) -> tuple[Span, ...]:
    """The spans of days that a question names, first and last day included, each once, from left to right.

    Args:
        query: the question.
        at: when it is asked, with an offset.
        zone: whose calendar "yesterday" is read in.

    Raises: InvalidValueError when `at` has no offset.
    """
    mentions = date_mentions(query, at, zone=zone)
    taken = {position for mention in mentions for position in range(mention.start, mention.end)}
    years = [match for match in _YEAR_ALONE.finditer(query) if match.start() not in taken]
    found = [
        *((mention.start, (mention.first_day, mention.last_day)) for mention in mentions),
        *((match.start(), calendar.whole_year(int(match.group("year")))) for match in years),
    ]
    return tuple(dict.fromkeys(span for _, span in sorted(found)))


def asks_when(query: str, cues: tuple[str, ...] = WHEN_CUES) -> bool:
    """Whether the question asks for a time: not "what did she say when she left", where another word asks."""
    before = before_cue(query, cues)
    if before is None:
        return False
    opening = _SENTENCE_END.split(before)[-1]
    return _JOINED.search(opening) is not None or not holds_cue(opening, _QUESTION_WORDS)


def holds_time(text: str) -> bool:
    """Whether a text holds a time expression: a day or year that can be named, a span of time, a time of day."""
    return _TIME_WORDS.search(text) is not None or bool(date_mentions(text, _SOME_MONDAY))
