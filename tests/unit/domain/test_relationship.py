"""How user and agent stand: the tables of constants.md 2.8, their boundary values included."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from graph_memory.domain.asked import RelationshipSigns
from graph_memory.domain.relationship import (
    Band,
    EpisodeShare,
    PartOfDay,
    Relationship,
    RelationshipRules,
    after_episode,
    band,
    by_count,
    comes_in_order,
    is_analysed,
    known_jokes,
    part_of_day,
    peak_hours,
    relationship_of,
    shown_jokes,
    shown_notes,
    shown_references,
    shown_streak,
    shown_topics,
    streak,
)
from graph_memory.domain.relationship_text import relationship_lines

RULES = RelationshipRules()
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MORNING = datetime(2031, 5, 1, 9, tzinfo=UTC)
MADRID = ZoneInfo("Europe/Madrid")


def share(started_at: datetime, **given: object) -> EpisodeShare:
    fields = {name: given.pop(name) for name in ("topics", "summary", "seconds") if name in given}
    return EpisodeShare(
        started_at=started_at,
        **{"seconds": 600.0, **fields},  # type: ignore[arg-type]
        signs=RelationshipSigns(**given),  # type: ignore[arg-type]
    )


def stood(*shares: EpisodeShare, zone: object = UTC) -> Relationship:
    return relationship_of(shares, zone=zone, rules=RULES)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("trusted", "expected"),
    [
        *((0.3, Band.NONE), (0.4, Band.NONE), (0.4 + 1e-12, Band.NONE), (0.41, Band.GROWING), (0.6, Band.GROWING)),
        *((0.61, Band.STRONG), (0.8, Band.STRONG), (0.81, Band.DEEP), (1.0, Band.DEEP)),
    ],
)
def test_a_band_begins_strictly_above_its_bound(trusted: float, expected: Band):
    assert band(trusted, RULES) is expected


@pytest.mark.parametrize(
    ("last", "days", "day", "expected"),
    [
        (None, 0, date(2031, 5, 1), 1),
        (date(2031, 5, 1), 3, date(2031, 5, 1), 3),
        (date(2031, 5, 1), 3, date(2031, 5, 2), 4),
        (date(2031, 5, 1), 3, date(2031, 5, 3), 1),
        (date(2031, 5, 1), 3, date(2031, 4, 30), 3),
        (date(2031, 12, 31), 3, date(2032, 1, 1), 4),
    ],
)
def test_a_streak_stays_grows_or_begins_anew(last: date | None, days: int, day: date, expected: int):
    assert streak(last, days, day) == expected


def test_the_longest_streak_is_kept_when_the_present_one_breaks():
    starts = [MORNING + days * DAY for days in (0, 1, 2, 5, 6)]

    relationship = stood(*map(share, starts))

    assert (relationship.streak_days, relationship.longest_streak_days, relationship.sessions) == (2, 3, 5)


def test_days_are_those_of_the_users_zone_and_of_the_start():
    late, early = datetime(2031, 5, 1, 22, 30, tzinfo=UTC), datetime(2031, 5, 3, 21, 30, tzinfo=UTC)

    here, there = stood(share(late), share(early), zone=MADRID), stood(share(late), share(early))

    assert here.streak_days == 2  # 2 May, 00:30, and 3 May, 23:30
    assert there.streak_days == 1  # 1 May and 3 May
    assert here.start_hours == (0, 23)


@pytest.mark.parametrize("months", [(3, 29, 30, 31), (10, 25, 26, 27)])
def test_a_day_of_a_changed_clock_is_a_day_in_a_row(months: tuple[int, ...]):
    """In 2031 Madrid's clocks change on 30 March and 26 October: days of 23 and of 25 hours."""
    month, *days = months
    starts = [datetime(2031, month, day, 23, 45, tzinfo=MADRID).astimezone(UTC) for day in days]

    assert stood(*map(share, starts), zone=MADRID).streak_days == 3


def test_a_late_older_episode_never_resets_and_may_fill_a_gap():
    monday, tuesday, wednesday = (share(MORNING + days * DAY) for days in range(3))

    without, with_it = stood(monday, wednesday), stood(monday, wednesday, tuesday)

    assert (without.streak_days, with_it.streak_days) == (1, 3)
    assert not comes_in_order(without, tuesday.started_at)
    assert after_episode(without, tuesday, zone=UTC, rules=RULES).streak_days == 1


def test_totals_are_counted():
    relationship = stood(share(MORNING, seconds=90.0), share(MORNING + 2 * HOUR, seconds=150.0))

    assert (relationship.sessions, relationship.minutes) == (2, 4.0)
    assert (relationship.first_at, relationship.last_at) == (MORNING, MORNING + 2 * HOUR + timedelta(seconds=150))


@pytest.mark.parametrize(
    ("hour", "part"),
    [
        *((0, PartOfDay.MORNING), (11, PartOfDay.MORNING), (12, PartOfDay.AFTERNOON), (16, PartOfDay.AFTERNOON)),
        *((17, PartOfDay.EVENING), (20, PartOfDay.EVENING), (21, PartOfDay.NIGHT), (23, PartOfDay.NIGHT)),
    ],
)
def test_parts_of_the_day_end_before_their_hours(hour: int, part: PartOfDay):
    assert part_of_day(hour, RULES) is part


def test_peak_hours_show_from_ten_episodes_and_rest_on_the_last_hundred():
    mornings = [share(MORNING + days * DAY) for days in range(100)]
    evenings = [share(MORNING + days * DAY + 9 * HOUR) for days in range(200, 250)]

    assert peak_hours(stood(*mornings[:9]), RULES) is None
    assert peak_hours(stood(*mornings[:10]), RULES) is PartOfDay.MORNING
    assert peak_hours(stood(*mornings, *evenings[:49]), RULES) is PartOfDay.MORNING
    assert peak_hours(stood(*mornings, *evenings), RULES) is PartOfDay.EVENING  # fifty each: the latest
    assert len(stood(*mornings, *evenings).start_hours) == 100


def test_topics_are_counted_in_any_case_twenty_kept_and_five_shown():
    shares = [
        share(MORNING + day * DAY, topics=(f"topic {day}", "Rowing" if day % 2 else "rowing")) for day in range(30)
    ]

    relationship = stood(*shares)

    assert len(relationship.topics) == 20
    assert by_count(relationship.topics)[0].text == "rowing"
    assert by_count(relationship.topics)[0].count == 30
    assert shown_topics(relationship, RULES) == ("rowing", "topic 29", "topic 28", "topic 27", "topic 26")


def test_inside_jokes_are_kept_exactly_the_last_twenty():
    shares = [share(MORNING + day * DAY, new_inside_jokes=(f"joke {day}",)) for day in range(25)]
    repeated = share(MORNING + 30 * DAY, new_inside_jokes=("joke 24", "Joke 24"))

    relationship = stood(*shares, repeated)

    assert len(relationship.inside_jokes) == 20
    assert shown_jokes(relationship, RULES) == ("joke 23", "joke 24", "Joke 24")  # another spelling is another joke
    assert known_jokes(relationship, RULES) == ("joke 21", "joke 22", "joke 23", "joke 24", "Joke 24")


def test_shared_references_are_counted_thirty_kept_and_carry_the_beginning_of_the_summary():
    shares = [
        share(MORNING + day * DAY, summary="s" * 79 + "!!", shared_references=(f"place {day}", "The Lake"))
        for day in range(40)
    ]

    relationship = stood(*shares, share(MORNING + 50 * DAY, summary="rain", shared_references=("the lake",)))

    shown = shown_references(relationship, RULES)
    assert len(relationship.shared_references) == 30
    assert [(each.text, each.count) for each in shown] == [("The Lake", 41), ("place 39", 1), ("place 38", 1)]
    assert (shown[0].context, shown[1].context) == ("rain", "s" * 79 + "!")


@pytest.mark.parametrize(
    ("times", "shown", "confidence"), [(1, False, 0.5), (2, False, 0.6), (3, True, 0.7), (9, True, 1.0)]
)
def test_a_note_grows_surer_and_shows_above_its_bound(times: int, shown: bool, confidence: float):
    shares = [
        share(MORNING + day * DAY, communication_notes={"Length" if day else "length": f"value {day}"})
        for day in range(times)
    ]

    relationship = stood(*shares)

    [note] = relationship.communication_notes
    assert (note.trait, note.value, note.confidence) == ("length", f"value {times - 1}", pytest.approx(confidence))
    assert bool(shown_notes(relationship, RULES)) is shown


def test_fifteen_notes_are_kept_and_the_three_surest_shown():
    sure = [share(MORNING + day * DAY, communication_notes={f"sure {n}": "yes" for n in range(4)}) for day in range(3)]
    others = [share(MORNING + (3 + day) * DAY, communication_notes={f"trait {day}": "yes"}) for day in range(13)]

    relationship = stood(*sure, share(MORNING + 3 * DAY, communication_notes={"sure 1": "no"}), *others)

    traits = [each.trait for each in relationship.communication_notes]
    assert len(traits) == 15
    assert "trait 0" not in traits
    assert "trait 2" in traits
    assert [each.trait for each in shown_notes(relationship, RULES)] == ["sure 1", "sure 3", "sure 2"]


def test_the_mood_is_the_last_that_was_told():
    assert stood(share(MORNING, mood="calm"), share(MORNING + HOUR, mood="tired"), share(MORNING + DAY)).mood == "tired"


@pytest.mark.parametrize(
    ("seconds", "turns", "looked_at"),
    [(119.9, 5, False), (120.0, 2, True), (30.0, 6, True), (119.9, 6, True), (120.0, 5, True)],
)
def test_only_an_episode_both_short_and_of_few_turns_is_not_looked_at(seconds: float, turns: int, looked_at: bool):
    assert is_analysed(seconds, turns, RULES) is looked_at


@pytest.mark.parametrize(("days_later", "days"), [(0, 2), (1, 2), (2, None)])
def test_a_streak_shows_from_two_days_while_it_runs(days_later: int, days: int | None):
    relationship = stood(share(MORNING), share(MORNING + DAY))

    assert shown_streak(relationship, (MORNING + (1 + days_later) * DAY).date(), RULES) == days
    assert shown_streak(stood(share(MORNING)), MORNING.date(), RULES) is None


def test_an_agent_is_told_little_and_nothing_before_the_first_episode():
    signs = {"new_inside_jokes": ("the duck",), "mood": "calm", "communication_notes": {"length": "brief"}}
    relationship = stood(*(share(MORNING + day * DAY, topics=("rowing",), **signs) for day in range(10)))

    lines = relationship_lines(relationship, today=(MORNING + 9 * DAY).date(), rules=RULES)

    assert relationship_lines(Relationship(), today=MORNING.date(), rules=RULES) == []
    assert lines == [
        "10 conversations, 10 days in a row, mostly in the morning, you trust each other well",
        "Often about: rowing",
        "Inside jokes: the duck",
        "How they like to be spoken with: length: brief",
        "Mood last time: calm",
    ]
