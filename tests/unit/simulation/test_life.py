"""The made life: the same each time, sound in its dates, and as eventful as it is meant to be."""

from collections import defaultdict
from datetime import timedelta
from itertools import pairwise

import pytest

from tests.simulation.generate import FIRST_DAY, QUARTER, YEAR, Scale, live
from tests.simulation.life import Asked, Decided, Life, Purpose, Stated
from tests.simulation.people import PEOPLE
from tests.simulation.topics import Telling


@pytest.fixture(scope="module", params=[YEAR, QUARTER], ids=["year", "quarter"])
def scale(request: pytest.FixtureRequest) -> Scale:
    return request.param


@pytest.fixture(scope="module")
def life(scale: Scale) -> Life:
    return live(scale)


def test_the_same_seed_gives_the_same_life(scale: Scale, life: Life):
    assert live(scale) == life


def test_it_is_as_long_and_talkative_as_asked(scale: Scale, life: Life):
    turns = list(life.turns())

    assert abs(len(turns) - scale.turns) < scale.turns / 10
    assert len({turn.text for turn in turns if turn.by_user}) > scale.turns / 2 * 0.8
    assert len({person.name for person in PEOPLE}) == 40


def test_chats_follow_each_other_in_time(life: Life):
    for session in life.sessions:
        instants = [turn.at for turn in session.turns]
        assert instants == sorted(instants)
        assert all(each.at >= instants[-1] for each in session.happenings)
    assert all(one.ends_at < other.starts_at for one, other in pairwise(life.sessions))


def test_quiet_weeks_are_silent(scale: Scale, life: Life):
    weeks = {(turn.at.date() - FIRST_DAY).days // 7 for turn in life.turns()}

    assert weeks.isdisjoint(scale.quiet_weeks)


def test_a_topic_has_one_truth_at_a_time(life: Life):
    versions = defaultdict(list)
    for truth in life.truths:
        versions[truth.topic].append(truth)

    for truths in versions.values():
        assert [each.version for each in truths] == list(range(len(truths)))
        assert all(one.invalid_at == other.valid_at for one, other in pairwise(truths))
        assert truths[-1].invalid_at is None


def test_every_way_of_telling_a_change_is_there(life: Life):
    told = {each.telling for each in life.happenings() if isinstance(each, Stated) and each.replaces}

    assert told == set(Telling)


def test_nothing_is_asked_before_there_is_an_answer(life: Life):
    known_from = {}
    for each in life.happenings():
        if isinstance(each, Stated):
            known_from.setdefault(each.key.split("/")[0], each.at)

    for each in life.happenings():
        if isinstance(each, Asked):
            assert each.at > known_from[each.about]


def test_growing_gaps_grow_and_bursts_are_short(life: Life):
    for pair in life.pairs:
        growing = [each.at for each in life.happenings() if isinstance(each, Asked) and each.about == pair.growing]
        burst = [each.at for each in life.happenings() if isinstance(each, Asked) and each.about == pair.burst]
        gaps = [later - earlier for earlier, later in pairwise(growing)]
        assert len(growing) == len(burst)
        assert gaps == sorted(gaps)
        assert gaps[0] >= timedelta(hours=12)
        assert burst[-1] - burst[0] < timedelta(hours=3)
        assert pair.late == (burst[0].date() == growing[-1].date())


def test_decisions_are_replaced_in_their_order(life: Life):
    versions = defaultdict(list)
    for each in life.happenings():
        if isinstance(each, Decided):
            versions[each.domain, each.topic].append(each.version)

    assert all(each == list(range(len(each))) for each in versions.values())
    assert sum(len(each) > 1 for each in versions.values()) >= 8


def test_the_day_asks_more_than_the_pairs_do(life: Life):
    purposes = [each.purpose for each in life.happenings() if isinstance(each, Asked)]

    assert purposes.count(Purpose.NEED) > purposes.count(Purpose.GROWING)
