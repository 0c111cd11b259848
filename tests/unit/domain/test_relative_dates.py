import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from graph_memory.domain.relative_dates import date_mentions
from graph_memory.errors import InvalidValueError

MONDAY = datetime(2021, 6, 7, 10, tzinfo=UTC)
SATURDAY = datetime(2021, 6, 12, 10, tzinfo=UTC)


def days_of(text: str, at: datetime = MONDAY) -> list[str]:
    """Each mention as "2021-06-03", or as "2021-06-01..2021-06-30"."""
    spans = [(mention.first_day, mention.last_day) for mention in date_mentions(text, at)]
    return [str(first) if first == last else f"{first}..{last}" for first, last in spans]


def test_case_11_relative_dates_are_resolved_against_the_moment_of_the_message():
    mentions = date_mentions("I changed jobs last Thursday and travel in three days.", MONDAY)

    assert [mention.text for mention in mentions] == ["last Thursday", "in three days"]
    assert [mention.first_day for mention in mentions] == [date(2021, 6, 3), date(2021, 6, 10)]


def test_a_mention_says_where_it_stands():
    text = "We met, finally, YESTERDAY."

    [mention] = date_mentions(text, MONDAY)

    assert text[mention.start : mention.end] == mention.text == "YESTERDAY"


def test_today_is_read_in_the_zone_of_the_speaker():
    late_evening_in_the_west = datetime(2021, 6, 7, 2, tzinfo=UTC)

    [mention] = date_mentions("today", late_evening_in_the_west, zone=timezone(timedelta(hours=-7)))

    assert mention.first_day == date(2021, 6, 6)


def test_an_instant_without_an_offset_is_refused():
    with pytest.raises(InvalidValueError, match="offset"):
        date_mentions("yesterday", datetime(2021, 6, 7))  # noqa: DTZ001 - the point of the test


ENGLISH = {
    "the day before yesterday": "2021-06-05",
    "last night": "2021-06-06",
    "this morning": "2021-06-07",
    "the day after tomorrow": "2021-06-09",
    "3 days ago": "2021-06-04",
    "24 hours ago": "2021-06-06",
    "three weeks ago": "2021-05-17..2021-05-23",
    "a month ago": "2021-05-01..2021-05-31",
    "two years ago": "2019-01-01..2019-12-31",
    "ten days from now": "2021-06-17",
    "the last three days": "2021-06-04..2021-06-07",
    "the past week": "2021-05-31..2021-06-07",
    "last week": "2021-05-31..2021-06-06",
    "next week": "2021-06-14..2021-06-20",
    "the week before last": "2021-05-24..2021-05-30",
    "this weekend": "2021-06-12..2021-06-13",
    "last weekend": "2021-06-05..2021-06-06",
    "next month": "2021-07-01..2021-07-31",
    "last year": "2020-01-01..2020-12-31",
    "last Monday": "2021-05-31",
    "last Fri": "2021-06-04",
    "this Thursday": "2021-06-10",
    "next Monday": "2021-06-14",
    "Tuesday last week": "2021-06-01",
    "last week on Tuesday": "2021-06-01",
    "on 5 May": "2021-05-05",
    "on May 5th": "2021-05-05",
    "the 5th of May, 2022": "2022-05-05",
    "Sept. 5, 2020": "2020-09-05",
    "the first of May": "2021-05-01",
    "5-7 June": "2021-06-05..2021-06-07",
    "May 2023": "2023-05-01..2023-05-31",
    "in June": "2021-06-01..2021-06-30",
    "last June": "2020-06-01..2020-06-30",
    "next June": "2022-06-01..2022-06-30",
    "in May of last year": "2020-05-01..2020-05-31",
    "in 2023": "2023-01-01..2023-12-31",
    "29 February": "2020-02-29",
    "2023-05-08": "2023-05-08",
    "2023-05-08T10:00:00+02:00": "2023-05-08",
    "2023-05": "2023-05-01..2023-05-31",
    "25/12/2023": "2023-12-25",
    "12/25/2023": "2023-12-25",
    "05.08.2023": "2023-08-05",
}
SPANISH = {
    "anteayer": "2021-06-05",
    "ayer por la tarde": "2021-06-06",
    "mañana por la mañana": "2021-06-08",
    "pasado mañana": "2021-06-09",
    "hace tres días": "2021-06-04",
    "dos semanas atrás": "2021-05-24..2021-05-30",
    "hace dos años": "2019-01-01..2019-12-31",
    "dentro de 3 días": "2021-06-10",
    "los últimos tres días": "2021-06-04..2021-06-07",
    "la semana pasada": "2021-05-31..2021-06-06",
    "el mes que viene": "2021-07-01..2021-07-31",
    "el próximo año": "2022-01-01..2022-12-31",
    "este fin de semana": "2021-06-12..2021-06-13",
    "el jueves pasado": "2021-06-03",
    "el próximo jueves": "2021-06-10",
    "el martes de la semana pasada": "2021-06-01",
    "el 5 de mayo de 2023": "2023-05-05",
    "el primero de mayo": "2021-05-01",
    "del 5 al 7 de junio": "2021-06-05..2021-06-07",
    "mayo de 2023": "2023-05-01..2023-05-31",
    "en mayo": "2021-05-01..2021-05-31",
    "en junio del año pasado": "2020-06-01..2020-06-30",
    "desde 2019": "2019-01-01..2019-12-31",
}


@pytest.mark.parametrize(("words", "days"), [*ENGLISH.items(), *SPANISH.items()])
def test_words_seen_from_a_monday(words: str, days: str):
    assert days_of(words) == [days]


@pytest.mark.parametrize(("words", "days"), SPANISH.items())
def test_decomposed_accents_read_the_same(words: str, days: str):
    assert days_of(unicodedata.normalize("NFD", words)) == [days]


@pytest.mark.parametrize(
    "text",
    [
        "You may go, and you may 5 times",
        "We march ten miles in step",
        "March 10 miles a day",
        "Wait a second, he sat in the sun and we wed",
        "She will marry April in April's garden",
        "the last sun of the evening, this sat well",
        "every Sunday we had lunch, and on Mondays too",
        "Sunday school was fun",
        "Friday the 13th frightened me",
        "a week from Thursday we will go",
        "next Thursday",
        "next weekend",
        "a few days ago",
        "over two years ago",
        "hace unos días",
        "I finished it in three days",
        "the first time in two years",
        "three days later she left",
        "the last week of the holidays",
        "last summer",
        "in 2000 steps",
        "5/8/2023",
        "31 April 2021",
        "99999 days ago",
        "por la mañana, una mañana",
        "los domingos íbamos al cine",
        "call 2023-4711 or 192.168.2.2023",
    ],
)
def test_what_is_no_date_or_could_be_two_gives_nothing(text: str):
    assert days_of(text) == []


def test_a_weekday_alone_goes_by_the_tense_of_its_clause():
    assert days_of("We went hiking on Thursday.") == ["2021-06-03"]
    assert days_of("I'm going camping on Thursday.") == ["2021-06-10"]
    assert days_of("El jueves fui al cine.") == ["2021-06-03"]
    assert days_of("El jueves voy a viajar.") == ["2021-06-10"]
    assert days_of("Chess on Thursday.") == []


def test_this_weekday_looks_back_in_a_clause_of_the_past():
    assert days_of("We met this Thursday", SATURDAY) == ["2021-06-10"]
    assert days_of("We meet this Thursday", SATURDAY) == ["2021-06-17"]


def test_next_thursday_and_next_weekend_are_clear_once_this_weeks_is_over():
    assert days_of("next Thursday, next weekend", SATURDAY) == ["2021-06-17", "2021-06-19..2021-06-20"]


def test_a_month_without_a_year_goes_by_the_tense_and_else_by_nearness():
    assert days_of("What did Ana do in August?") == ["2020-08-01..2020-08-31"]
    assert days_of("What will Ana do in May?") == ["2022-05-01..2022-05-31"]
    assert days_of("Ana's plans in August") == ["2021-08-01..2021-08-31"]
    assert days_of("Ana's work in February") == ["2021-02-01..2021-02-28"]


def test_the_longest_reading_wins_and_mentions_do_not_overlap():
    text = "last week, on 5 May 2023 and in May 2023, not in May"

    mentions = date_mentions(text, MONDAY)

    assert [mention.text for mention in mentions] == ["last week", "5 May 2023", "May 2023", "May"]


def test_a_mention_covers_its_first_and_its_last_day():
    [mention] = date_mentions("last week", MONDAY)

    assert mention.covers(date(2021, 5, 31))
    assert mention.covers(date(2021, 6, 6))
    assert not mention.covers(date(2021, 6, 7))
