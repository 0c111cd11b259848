"""What a question asks about time: the days that it names, and whether it asks when.

A year that stands alone names its days here more often than in `relative_dates`: what a question names narrows a
search and is not stored, so a wrong span costs little ("the 2022 trip", "the summer of 2022").

Source: constants.md 2.5; ranking.md, the features `date` and `time`.
"""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from graph_memory.domain import calendar_spans as calendar
from graph_memory.domain.calendar_spans import Span
from graph_memory.domain.cues import before_cue, cue_list, holds_cue
from graph_memory.domain.date_language import YEAR
from graph_memory.domain.dates import in_utc
from graph_memory.domain.relative_dates import date_mentions

WHEN_CUES = cue_list("when, what time, what date, how long ago, cuándo, qué fecha, a qué hora, hace cuánto")
_QUESTION_WORDS = cue_list("who, whom, whose, what, which, where, why, how, qué, quién, cuál, dónde, cómo")
_SENTENCE_END = re.compile(r"[.!?;:¿¡]")
_JOINED = re.compile(r"(?:,|\b(?:and|or|y|o))\s*$")

# Every zone can tell their midnights, and what follows them.
_FIRST_DAY, _LAST_DAY = date(1, 1, 3), date(9998, 12, 31)
_YEAR_ALONE = re.compile(rf"(?<![\w.,:/$€£#-]){YEAR}(?![\w:/%-]|[.,]\d)")


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


def told_between(days: Sequence[Span], *, zone: tzinfo, grace: timedelta) -> tuple[tuple[datetime, datetime], ...]:
    """When what happened on these days of a zone is told: begin and end of each span, UTC; the end is not part of it.

    What happened on a single day is told up to `grace` later, too.
    """
    return tuple(
        (
            _midnight(first, zone),
            _midnight(min(last, _LAST_DAY) + timedelta(days=1), zone) + (grace if first == last else timedelta()),
        )
        for first, last in days
    )


def _midnight(day: date, zone: tzinfo) -> datetime:
    return in_utc(datetime.combine(min(max(day, _FIRST_DAY), _LAST_DAY), time()), zone=zone)


def asks_when(query: str, cues: tuple[str, ...] = WHEN_CUES) -> bool:
    """Whether the question asks for a time: not "what did she say when she left", where another word asks."""
    before = before_cue(query, cues)
    if before is None:
        return False
    opening = _SENTENCE_END.split(before)[-1]
    return _JOINED.search(opening) is not None or not holds_cue(opening, _QUESTION_WORDS)
