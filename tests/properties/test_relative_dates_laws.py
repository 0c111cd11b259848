from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.relative_dates import date_mentions

INSTANTS = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - given UTC
ZONES = st.integers(-12, 14).map(lambda hours: timezone(timedelta(hours=hours)))
PIECES = st.sampled_from(
    "the last next this week weekend month year Thursday on Sunday every in three days ago two 5 31 2023 May june of "
    "hace tres días el jueves pasado que viene mañana de mayo año semana and did will - / . , ' 2023-05-08".split()
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=12).map(" ".join))


@given(text=TEXTS, at=INSTANTS, zone=ZONES)
def test_mentions_stand_in_order_apart_and_span_whole_days(text, at, zone):
    mentions = date_mentions(text, at, zone=zone)

    assert all(text[mention.start : mention.end] == mention.text != "" for mention in mentions)
    assert all(mention.first_day <= mention.last_day for mention in mentions)
    assert all(one.end <= other.start for one, other in pairwise(mentions))


@given(text=TEXTS, at=INSTANTS, hours=st.integers(-12, 14))
def test_only_the_local_instant_counts(text, at, hours):
    zone = timezone(timedelta(hours=hours))

    assert date_mentions(text, at, zone=zone) == date_mentions(text, at.astimezone(zone), zone=zone)


@given(at=INSTANTS, count=st.integers(1, 400))
def test_days_ago_and_days_ahead_are_mirror_images(at, count):
    [ago] = date_mentions(f"{count} days ago", at)
    [ahead] = date_mentions(f"in {count} days", at)

    assert at.date() - ago.first_day == ahead.first_day - at.date() == timedelta(days=count)


@given(at=INSTANTS, weekday=st.sampled_from("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()))
def test_the_last_weekday_lies_in_the_seven_days_before_today(at, weekday):
    [mention] = date_mentions(f"last {weekday}", at)

    assert mention.first_day.strftime("%A") == weekday
    assert 1 <= (at.date() - mention.first_day).days <= 7


@given(at=INSTANTS)
def test_weeks_months_and_years_follow_one_another_without_gap(at):
    for unit in ("week", "month", "year"):
        last, this, coming = date_mentions(f"last {unit}, this {unit}, next {unit}", at)

        assert this.covers(at.date())
        assert last.last_day + timedelta(days=1) == this.first_day
        assert this.last_day + timedelta(days=1) == coming.first_day


@given(at=INSTANTS, day=st.dates(date(1800, 1, 1), date(2199, 12, 31)))
def test_a_full_date_does_not_depend_on_the_instant(at, day):
    month = day.strftime("%B")
    written = [day.isoformat(), f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"]

    for text in written:
        [mention] = date_mentions(text, at)
        assert (mention.first_day, mention.last_day) == (day, day)


@given(at=INSTANTS, month=st.sampled_from(["January", "May", "June", "December"]))
def test_a_month_of_the_past_has_begun_and_one_of_the_future_has_not_ended(at, month):
    [past] = date_mentions(f"I worked in {month}", at)
    [future] = date_mentions(f"I will work in {month}", at)

    assert past.first_day <= at.date() <= future.last_day
    assert (at.date() - past.first_day).days <= 366
    assert (future.last_day - at.date()).days <= 366
