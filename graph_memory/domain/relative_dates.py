"""Days that a text names, in English and Spanish, seen from the instant at which it was said.

A mention is a span of calendar days in the speaker's zone. What could be meant in two ways gives nothing: a wrong
date is worse than none. The rules where a language leaves room:

- A week is Monday to Sunday. The unit gives the width: "three days ago" is a day, "two weeks ago" the week around
  that day, "a month ago" a calendar month, "two years ago" a calendar year. "The last three days" end today.
- "Last Thursday" is the latest before today. "This Thursday" is the first from today on, in a clause of the past the
  latest up to today. English "next Thursday" and "next weekend" give nothing while this week's is still to come,
  since people disagree which one is meant; "el próximo jueves" is the first after today.
- A weekday alone needs a hint that it is a date ("on Sunday", "el domingo", "Sunday morning", the end of a clause)
  and a clause that shows its tense: the past gives the latest before today, the future the first after.
- A month or a day without a year is the latest that has begun in a clause of the past, the first that has not ended
  in one of the future, else the one nearest to today; a tie goes to the past. "Last June" is the latest that has
  ended, "next June" the first that has not begun. "May" and "march" in small letters need "in", "since" or a year.
- "In three days" in a clause of the past is a duration and gives nothing; so do vague numbers ("a few days ago"),
  recurring days ("every Sunday", "on Mondays"), seasons, and days counted from elsewhere ("three days later").
- "5/8/2023" is read only where day and month cannot be taken for each other; with dots the day comes first.

A rule is tried only where a word stands that it can open with, and only in texts that hold one of its triggers.

Source: cases.md 11; constants.md 2.5 (the days that a query names).
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from graph_memory.domain import calendar_spans as calendar
from graph_memory.domain.calendar_spans import Span
from graph_memory.domain.clause_tense import Tense, tense_around
from graph_memory.domain.date_language import (
    DIA,
    DIGITS,
    ENTERO,
    EVERY,
    LONG_MONTH,
    MES,
    MONTHS,
    NUMBER,
    NUMBERS,
    PART,
    SHORT_MONTH,
    SHORT_WEEKDAY,
    STEPS,
    UNIDAD,
    UNIT,
    UNITS,
    WEEKDAY,
    WEEKDAYS,
    WHOLE,
    WORDS_TOO,
    YEAR,
    folded,
    one_of,
    placed_words,
    whole_words,
)
from graph_memory.errors import InvalidValueError, Problem


@dataclass(frozen=True, slots=True)
class DateMention:
    """Words from `start` up to but not including `end` that name the days from first to last, both included."""

    text: str
    start: int
    end: int
    first_day: date
    last_day: date

    def covers(self, day: date) -> bool:
        """Whether `day` is one of the days named."""
        return self.first_day <= day <= self.last_day


def date_mentions(text: str, at: datetime, *, zone: tzinfo = UTC) -> list[DateMention]:
    """The days that `text` names, from left to right, without overlaps.

    Args:
        text: what was said or asked.
        at: the instant at which it was, with an offset.
        zone: whose calendar "today" is read in.

    Raises: InvalidValueError when `at` has no offset.
    """
    if at.tzinfo is None:
        raise InvalidValueError("date_mentions", [Problem("at", "has no offset from UTC")])
    found = _found(text)
    if not found:
        return []
    said = _Said(text, at.astimezone(zone))
    mentions = (_mention(said, match, days) for match, days in _longest_apart(found))
    return [mention for mention in mentions if mention]


@dataclass(frozen=True, slots=True)
class _Said:
    """A text and the instant at which it was said, in the speaker's zone."""

    text: str
    at: datetime

    @property
    def today(self) -> date:
        return self.at.date()

    def word_before(self, match: re.Match[str]) -> str:
        """The word right before the match in the same sentence, folded; empty when there is none."""
        before = _LAST_WORD.search(self.text[max(0, match.start() - _LONGEST_WORD) : match.start()])
        return folded(before.group(1)) if before else ""

    def ends_clause(self, match: re.Match[str]) -> bool:
        return _CLAUSE_OVER.match(self.text, match.end()) is not None

    def tense(self, match: re.Match[str], *, commas: bool = False) -> Tense:
        return tense_around(self.text, match.start(), match.end(), commas=commas)


_Days = Callable[[_Said, re.Match[str]], Span | None]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A form of words, the words it can open with, those of which it holds one, and the days it names."""

    openers: frozenset[str]
    triggers: frozenset[str]
    pattern: re.Pattern[str]
    days: _Days


def _found(text: str) -> list[tuple[re.Match[str], _Days]]:
    """Every form that matches anywhere. A form is tried only where one of its openers stands."""
    words = placed_words(text)
    present = {word for word, _ in words}
    if _TRIGGERS.isdisjoint(present):
        return []
    return [
        (match, rule.days)
        for word, start in words
        for rule in _BY_OPENER.get(word, ())
        if not rule.triggers.isdisjoint(present) and (match := rule.pattern.match(text, start))
    ]


def _longest_apart(found: Iterable[tuple[re.Match[str], _Days]]) -> list[tuple[re.Match[str], _Days]]:
    """The longest matches that do not overlap, from left to right.

    A match that will name no day still claims its words: "next Thursday" must not be read as "Thursday".
    """
    by_length = sorted(found, key=lambda pair: (pair[0].start() - pair[0].end(), pair[0].start()))
    taken: set[int] = set()
    chosen = []
    for match, days in by_length:
        if taken.isdisjoint(range(match.start(), match.end())):
            taken.update(range(match.start(), match.end()))
            chosen.append((match, days))
    return sorted(chosen, key=lambda pair: pair[0].start())


def _mention(said: _Said, match: re.Match[str], days: _Days) -> DateMention | None:
    try:
        span = days(said, match)
    except (ValueError, OverflowError):  # 31 April, or a day outside the calendar: nothing is named
        return None
    return DateMention(match.group(), match.start(), match.end(), *span) if span else None


_BLANKS = re.compile(r"\s+")
_LONGEST_WORD = 24
_LAST_WORD = re.compile(r"([^\W_]+)[\s-]{1,3}$")
_CLAUSE_OVER = re.compile(r"\s{0,3}(?:[.,;:!?)…\n]|$)")


def _term(match: re.Match[str], name: str) -> str:
    """What a group holds, folded, blanks collapsed; empty when the form has no such group or it took no part."""
    held = match.group(name) if name in match.re.groupindex else None
    return _BLANKS.sub(" ", folded(held)) if held else ""


def _step(match: re.Match[str]) -> int:
    return STEPS[_term(match, "way")]


def _unit(match: re.Match[str]) -> str:
    return UNITS[_term(match, "unit")]


def _number(match: re.Match[str]) -> int:
    word = _term(match, "number")
    return int(word) if word.isdigit() else NUMBERS[word]


# Days by name, and so many units away


_NAMED_DAYS = {
    **dict.fromkeys(("the day before yesterday", "day before yesterday", "anteayer", "antier", "antes de ayer"), -2),
    "anteanoche": -2,
    **dict.fromkeys(("yesterday", "last night", "ayer", "anoche"), -1),
    **dict.fromkeys(("today", "tonight", "this morning", "this afternoon", "this evening"), 0),
    **dict.fromkeys(("hoy", "esta mañana", "esta tarde", "esta noche"), 0),
    **dict.fromkeys(("tomorrow", "mañana"), 1),
    **dict.fromkeys(("the day after tomorrow", "day after tomorrow", "pasado mañana"), 2),
}
_DAY_OFFSETS = {folded(words): offset for words, offset in _NAMED_DAYS.items()}
_BEFORE_A_MORNING = frozenset({"la", "una", "cada", "de", "esa", "aquella", "buena", "toda", "otra"})
_VAGUE = frozenset({"over", "than", "least", "most", "under", "nearly", "almost", "mas", "menos", "casi"})
# "I haven't seen her in three days", "the first time in two years": how long, not when.
_HOW_LONG = re.compile(r"\b(?:time|first|once|twice|ever|never|ha(?:ve|s)n['’]?t|vez|nunca)\b|['’]ve\b", re.IGNORECASE)
_OPENING = 60  # characters before "in three days" that may say that it is a duration


def _named_day(said: _Said, match: re.Match[str]) -> Span | None:
    words = _term(match, "day")
    if words == "manana" and said.word_before(match) in _BEFORE_A_MORNING:
        return None  # "por la mañana": the part of the day
    return calendar.one_day(said.today + timedelta(days=_DAY_OFFSETS[words]))


def _units_away(said: _Said, match: re.Match[str], sign: int) -> Span | None:
    if said.word_before(match) in _VAGUE:
        return None
    unit, count = _unit(match), sign * _number(match)
    if unit == "hour":
        return calendar.one_day((said.at + timedelta(hours=count)).date())
    return calendar.around(calendar.moved(said.today, unit, count), unit)


def _ago(said: _Said, match: re.Match[str]) -> Span | None:
    return _units_away(said, match, -1)


def _from_now(said: _Said, match: re.Match[str]) -> Span | None:
    return _units_away(said, match, 1)


def _in_units(said: _Said, match: re.Match[str]) -> Span | None:
    opening = said.text[max(0, match.start() - _OPENING) : match.start()]
    if said.tense(match, commas=True) is Tense.PAST or _HOW_LONG.search(opening):
        return None
    return _from_now(said, match)


def _rolling(said: _Said, match: re.Match[str]) -> Span | None:
    unit, count = _unit(match), _number(match) if _term(match, "number") else 1
    if unit == "hour":
        return None
    other = calendar.moved(said.today, unit, _step(match) * count)
    return min(said.today, other), max(said.today, other)


# This, last, next


_BEFORE_WEEKDAY = frozenset({"on", "by", "until", "till", "since", "el", "del", "al"})
_NO_SINGLE_DAY = frozenset("every each any most some a other from per one the los cada un algun".split())


def _calendar_unit(said: _Said, match: re.Match[str]) -> Span | None:
    unit, step = _unit(match), _step(match)
    weekend_to_come = unit == "weekend" and step == 1 and said.today.weekday() < calendar.SATURDAY
    if weekend_to_come:
        return None if _term(match, "way") == "next" else calendar.around(said.today, unit)
    return calendar.around(calendar.moved(said.today, unit, step), unit)


def _weekday_of_week(said: _Said, match: re.Match[str]) -> Span | None:
    monday, _ = calendar.week(calendar.moved(said.today, "week", _step(match)))
    return calendar.one_day(monday + timedelta(days=WEEKDAYS[_term(match, "weekday")]))


def _weekday(said: _Said, match: re.Match[str]) -> Span | None:
    weekday, way = WEEKDAYS[_term(match, "weekday")], _term(match, "way")
    to_come_this_week = weekday > said.today.weekday()
    if way == "next" and to_come_this_week:
        return None
    if STEPS[way] == 0:
        return _beside(said.today, weekday, said.tense(match), today_too=True)
    return _beside(said.today, weekday, Tense(STEPS[way]))


def _short_weekday(said: _Said, match: re.Match[str]) -> Span | None:
    """ "Last Fri"; in small letters "the last sun" of the day, and "sat", are words."""
    return _weekday(said, match) if match.group("weekday")[0].isupper() else None


def _weekday_alone(said: _Said, match: re.Match[str]) -> Span | None:
    before, tense = said.word_before(match), said.tense(match)
    hinted = before in _BEFORE_WEEKDAY or _term(match, "part") or said.ends_clause(match)
    if before in _NO_SINGLE_DAY or not hinted or tense is Tense.UNKNOWN:
        return None
    return _beside(said.today, WEEKDAYS[_term(match, "weekday")], tense)


def _beside(today: date, weekday: int, tense: Tense, *, today_too: bool = False) -> Span:
    """The latest such weekday before today in the past, else the first after."""
    if tense is Tense.PAST:
        return calendar.one_day(calendar.latest_weekday(weekday, today + timedelta(days=int(today_too))))
    return calendar.one_day(calendar.first_weekday(weekday, today + timedelta(days=int(not today_too))))


def _nothing(said: _Said, match: re.Match[str]) -> Span | None:
    """Words that look like a date and name none."""
    return None


# Months, years, days of the calendar


_BEFORE_MONTH = frozenset({"in", "since", "during", "until", "early", "mid", "late", "en", "desde", "durante", "hasta"})
_BEFORE_SMALL_MONTH = frozenset({"in", "since", "during"})
_BEFORE_YEAR = frozenset({"in", "since", "during", "until", "year", "en", "desde", "durante", "ano"})
_BEFORE_DAY = frozenset({"on", "by", "since", "until", "till", "before", "after", "from"})


def _month_number(match: re.Match[str]) -> int:
    return MONTHS[_term(match, "month")]


def _written_as_word(match: re.Match[str]) -> bool:
    """Whether the month's name is written as the ordinary word that it may be ("may", "march", "sep")."""
    return match.group("month").lower() in WORDS_TOO and match.group("month")[0].islower()


def _month_and_year(said: _Said, match: re.Match[str]) -> Span | None:
    return calendar.month(int(match.group("year")), _month_number(match))


def _month_of_a_near_year(said: _Said, match: re.Match[str]) -> Span | None:
    return calendar.month(said.today.year + _step(match), _month_number(match))


def _month_beside(said: _Said, match: re.Match[str]) -> Span | None:
    if _written_as_word(match):
        return None
    month, today, step = _month_number(match), said.today, _step(match)
    over, begun = month < today.month, month <= today.month
    years_on = {-1: 0 if over else -1, 0: 0, 1: 1 if begun else 0}
    return calendar.month(today.year + years_on[step], month)


def _month_alone(said: _Said, match: re.Match[str]) -> Span | None:
    allowed = _BEFORE_SMALL_MONTH if _written_as_word(match) else _BEFORE_MONTH
    is_a_name = said.text[match.end() : match.end() + 2] in ("'s", "’s")  # "in April's room"
    if is_a_name or said.word_before(match) not in allowed:
        return None
    month = _month_number(match)
    return calendar.span_near(lambda year: calendar.month(year, month), said.today, direction=said.tense(match))


def _days_of_month(said: _Said, match: re.Match[str]) -> Span | None:
    if not _is_a_date(said, match):
        return None
    month, first = _month_number(match), _day_number(_term(match, "first"))
    last = _day_number(_term(match, "last")) if _term(match, "last") else first

    def days(year: int) -> Span:
        return date(year, month, first), date(year, month, last)

    if last < first:
        return None
    if _term(match, "year"):
        return days(int(match.group("year")))
    if _term(match, "way"):
        return days(said.today.year + _step(match))
    return calendar.span_near(days, said.today, direction=said.tense(match))


def _day_number(word: str) -> int:
    return int(word) if word.isdigit() else 1  # "the first of May", "el primero de mayo"


def _is_a_date(said: _Said, match: re.Match[str]) -> bool:
    """Not "you may 5", "May 5 people come": an ordinary word beside a number needs a sign that it is a month."""
    if match.group("month").lower() not in WORDS_TOO or _term(match, "year") or _term(match, "sign"):
        return True
    if _written_as_word(match):
        return False
    day_comes_first = match.start("first") < match.start("month")
    return day_comes_first or said.word_before(match) in _BEFORE_DAY or said.ends_clause(match)


def _year_alone(said: _Said, match: re.Match[str]) -> Span | None:
    return calendar.whole_year(int(match.group("year"))) if said.word_before(match) in _BEFORE_YEAR else None


def _iso(said: _Said, match: re.Match[str]) -> Span | None:
    year, month = int(match.group("year")), int(match.group("month"))
    day = match.group("first")
    return calendar.one_day(date(year, month, int(day))) if day else calendar.month(year, month)


def _numeric(said: _Said, match: re.Match[str]) -> Span | None:
    first, second, year = (int(match.group(name)) for name in ("first", "second", "year"))
    if match.group("mark") == "." or first > 12 or first == second:
        return calendar.one_day(date(year, second, first))
    return calendar.one_day(date(year, first, second)) if second > 12 else None


# The rules


def _rule(openers: Iterable[str], triggers: Iterable[str], source: str, days: _Days) -> _Rule:
    return _Rule(frozenset(openers), frozenset(triggers), whole_words(source), days)


_NUMBER_WORDS = {*NUMBERS, DIGITS}
_UNIT_WORDS = {word for words in UNITS for word in words.split()}
_DAY_WORDS = {word for words in _DAY_OFFSETS for word in words.split()}
_WAYS = {"last", "past", "this", "next", "coming", "earlier", "later"}
_MODOS = {"pasado", "pasada", "proximo", "proxima", "este", "esta"}
_DAYS = r"(?P<first>\d{1,2})(?P<sign>st|nd|rd|th)?(?:\s?(?:-|–|to)\s?(?P<last>\d{1,2})(?:st|nd|rd|th)?)?"
_DIAS = r"(?P<first>\d{1,2})(?:\s?(?:-|–|al)\s?(?P<last>\d{1,2}))?[º°]?"
_ANY_MONTH = rf"(?P<month>{LONG_MONTH}|{SHORT_MONTH})\.?"
_MAYBE_YEAR = rf"(?:,? {YEAR}(?![-–]?\d)|,? (?:of )?(?P<way>last|this|next) year)?"
_QUIZA_ANO = rf"(?: (?:del? )?(?:año )?{YEAR}(?!\d)| del? (?:año )?(?P<way>pasado|próximo|que viene|este)(?: año)?)?"
_COUNTED = "steps|people|words|miles|dollars|euros|pesos|met(?:er|re)s|feet|times|hours|km|kg|calories|years|be|bring"
_WHICH = "(?P<way>last|this|next)"
_FIRST = "(?P<first>first) (?P<sign>of)"
_TIME = r"(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?"
_TWO_NUMBERS = r"(?P<first>\d\d?)(?P<mark>[/.])(?P<second>\d\d?)(?P=mark)"
_WAY = "(?P<way>(?:this )?past|(?:this )?coming|last|this|next)"
_PASADO = "(?P<way>pasad[oa]|que viene|próxim[oa]|entrante)"
_PROXIMO = "(?P<way>pasad[oa]|próxim[oa]|est[ea])"

_DAY_RULES = (
    _rule(_DAY_WORDS, _DAY_WORDS, f"(?P<day>{one_of(_NAMED_DAYS)})", _named_day),
    _rule(_NUMBER_WORDS, ["ago"], f"{NUMBER} {UNIT} ago", _ago),
    _rule(["hace"], ["hace"], f"hace {NUMBER} {UNIDAD}", _ago),
    _rule(_NUMBER_WORDS, ["atras"], f"{NUMBER} {UNIDAD} atrás", _ago),
    _rule(_NUMBER_WORDS, ["now", "today"], f"{NUMBER} {UNIT} from (?:now|today)", _from_now),
    _rule(["dentro"], ["dentro"], f"dentro de {NUMBER} {UNIDAD}", _from_now),
    _rule(["in"], _UNIT_WORDS, f"in {NUMBER} {UNIT}(?:['’]? time)?", _in_units),
    _rule(["en"], _UNIT_WORDS, f"en {NUMBER} {UNIDAD}", _in_units),
    _rule(["the", *_WAYS], _UNIT_WORDS, f"(?:the )?(?P<way>last|past|next|coming) {NUMBER} {UNIT}", _rolling),
    _rule(["the"], ["past"], "the (?P<way>past) (?P<unit>week|month|year)", _rolling),
    _rule(["los", "las"], _UNIT_WORDS, f"l[oa]s (?P<way>últim[oa]s|próxim[oa]s) {NUMBER} {UNIDAD}", _rolling),
    _rule(["few", "couple", "several", "some"], ["ago"], r"(?:few|couple(?: of)?|several|some) \w+ ago", _nothing),
    _rule(_NUMBER_WORDS, _UNIT_WORDS, f"{NUMBER} {UNIT} (?:later|earlier|before|after)", _nothing),
)
_WEEK_RULES = (
    _rule(_WAYS, _UNIT_WORDS, f"(?:earlier |later )?{_WAY} {WHOLE}", _calendar_unit),
    _rule(["the"], _UNIT_WORDS, f"the {WHOLE} (?P<way>before last|after next)", _calendar_unit),
    _rule(_UNIT_WORDS, _UNIT_WORDS, f"{ENTERO} {_PASADO}", _calendar_unit),
    _rule(_MODOS, _UNIT_WORDS, f"{_PROXIMO} {ENTERO}", _calendar_unit),
    _rule(["the", *_WAYS], ["of", "in", "before"], f"(?:the )?(?:last|next) {WHOLE} (?:of|in|before)", _nothing),
    _rule(WEEKDAYS, ["week"], rf"(?P<weekday>{WEEKDAY}),? (?:of )?{_WHICH} week", _weekday_of_week),
    _rule(_WAYS, ["week"], rf"{_WHICH} week (?:on )?(?P<weekday>{WEEKDAY})", _weekday_of_week),
    _rule(WEEKDAYS, ["semana"], rf"(?P<weekday>{DIA}) de la semana {_PASADO}", _weekday_of_week),
    _rule(WEEKDAYS, ["semana"], rf"(?P<weekday>{DIA}) de (?:la )?{_PROXIMO} semana", _weekday_of_week),
    _rule(_WAYS, WEEKDAYS, rf"{_WAY} (?P<weekday>{WEEKDAY})", _weekday),
    _rule(_WAYS, WEEKDAYS, rf"{_WAY} (?P<weekday>{SHORT_WEEKDAY})", _short_weekday),
    _rule(_MODOS, WEEKDAYS, rf"{_PROXIMO} (?P<weekday>{DIA})", _weekday),
    _rule(WEEKDAYS, _MODOS | {"viene"}, rf"(?P<weekday>{DIA}) {_PASADO}", _weekday),
    _rule(WEEKDAYS, WEEKDAYS, rf"(?P<weekday>{WEEKDAY}|{DIA})(?: (?P<part>{PART}))?", _weekday_alone),
    _rule(EVERY, WEEKDAYS, rf"(?:{one_of(EVERY)})(?: (?:other|last|single))? (?:{WEEKDAY})", _nothing),
    _rule(WEEKDAYS, WEEKDAYS, rf"(?:{WEEKDAY}) (?:before last|after next|week|the \d+\w*)", _nothing),
    _rule(_UNIT_WORDS, WEEKDAYS, rf"(?:weeks?|days?) (?:from|before|after) (?:{WEEKDAY})", _nothing),
)
_MONTH_RULES = (
    _rule(MONTHS, [DIGITS], rf"{_ANY_MONTH},? (?:of )?{YEAR}(?![-–]\d| (?:{_COUNTED})\b)", _month_and_year),
    _rule(MONTHS, [DIGITS], rf"(?P<month>{MES}) (?:del? )?(?:año )?{YEAR}", _month_and_year),
    _rule(MONTHS, ["year"], rf"(?P<month>{LONG_MONTH}),? (?:of )?{_WHICH} year", _month_of_a_near_year),
    _rule(MONTHS, ["ano"], rf"(?P<month>{MES}) del año {_PASADO}", _month_of_a_near_year),
    _rule(MONTHS, ["ano"], rf"(?P<month>{MES}) del? {_PROXIMO} año", _month_of_a_near_year),
    _rule(_WAYS, MONTHS, rf"{_WAY} (?P<month>{LONG_MONTH})", _month_beside),
    _rule(MONTHS, _MODOS | {"viene"}, rf"(?P<month>{MES}) {_PASADO}", _month_beside),
    _rule(_MODOS, MONTHS, rf"{_PROXIMO} (?P<month>{MES})", _month_beside),
    _rule(MONTHS, MONTHS, rf"(?P<month>{LONG_MONTH}|{MES})", _month_alone),
    _rule(["the", DIGITS], MONTHS, rf"(?:the )?{_DAYS} (?:of )?{_ANY_MONTH}{_MAYBE_YEAR}", _days_of_month),
    _rule(["the", "first"], MONTHS, rf"(?:the )?{_FIRST} {_ANY_MONTH}{_MAYBE_YEAR}", _days_of_month),
    _rule(MONTHS, [DIGITS], rf"{_ANY_MONTH} (?:the )?{_DAYS}(?!\w|:\d|[.,]\d|%){_MAYBE_YEAR}", _days_of_month),
    _rule([DIGITS], MONTHS, rf"{_DIAS} de (?P<month>{MES}){_QUIZA_ANO}", _days_of_month),
    _rule(["primero"], MONTHS, rf"(?P<first>primero) de (?P<month>{MES}){_QUIZA_ANO}", _days_of_month),
)
_NUMBER_RULES = (
    _rule([DIGITS], [DIGITS], rf"{YEAR}(?![-–/]?\d| (?:{_COUNTED})\b)", _year_alone),
    _rule([DIGITS], [DIGITS], rf"{YEAR}-(?P<month>\d\d)(?:-(?P<first>\d\d){_TIME})?(?!-?\d)", _iso),
    _rule([DIGITS], [DIGITS], rf"{YEAR}/(?P<month>\d\d?)/(?P<first>\d\d?)(?!/)", _iso),
    _rule([DIGITS], [DIGITS], rf"{_TWO_NUMBERS}{YEAR}(?!/|\.\d)", _numeric),
)
_RULES = (*_DAY_RULES, *_WEEK_RULES, *_MONTH_RULES, *_NUMBER_RULES)
_TRIGGERS = frozenset().union(*(rule.triggers for rule in _RULES)) - {"of", "in", "before"}
_BY_OPENER = {word: [rule for rule in _RULES if word in rule.openers] for rule in _RULES for word in rule.openers}
