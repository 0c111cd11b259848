"""The report of a small made-up record, and its pictures."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.simulation.generate import QUARTER, live
from tests.simulation.life import Asked, Purpose
from tests.simulation.plots import draw
from tests.simulation.record import Context, Found, Played, Replied, Snapshot
from tests.simulation.report import report

LIFE = replace(live(QUARTER), pairs=())
START = datetime(2031, 1, 6, tzinfo=UTC)


def replied(day: int, rank: int | None, past: tuple[int, ...] = (), changed_by: str | None = "number") -> Replied:
    asked = Asked(at=START + timedelta(days=day), question="?", about="rent", purpose=Purpose.PROBE)
    return Replied(asked=asked, true_rank=rank, past_ranks=past, echo_ranks=(), changed_by=changed_by)


@pytest.fixture
def played() -> Played:
    looks = [
        Snapshot(
            at=START + timedelta(days=7 * week),
            memories=week,
            by_state={"core": week, "dream": 1},
            by_tier={"active": week},
            by_kind={"episodic": week},
            hidden=0,
            superseded=1,
            links=3,
            strengths=tuple(0.1 * step for step in range(1, week + 1)),
        )
        for week in range(1, 9)
    ]
    return Played(
        snapshots=looks,
        contexts=[Context(at=START + timedelta(days=day), tokens=900 + day, budget=2_000) for day in range(9)],
        replies=[
            replied(1, 1),
            replied(2, 2, (1,)),
            replied(40, None, (1,)),
            replied(41, None),
            replied(42, 1, (), None),
        ],
        calls_by_month={"2031-01": Counter(recalls=3), "2031-02": Counter(writes=7)},
    )


def test_an_answer_is_judged_by_what_holds_and_what_no_longer_does():
    answers = [replied(1, 1), replied(1, 2, (3,)), replied(1, 2, (1,)), replied(1, None, (1,)), replied(1, None)]

    assert [each.found for each in answers] == [Found.TRUE, Found.BOTH, Found.BOTH, Found.PAST, Found.NEITHER]
    assert [each.true_first for each in answers] == [True, True, False, False, False]


def test_the_report_counts_answers_by_how_the_change_was_told(played: Played):
    told = report(LIFE, played)["asked by the observer"]

    assert told["changed"]["questions"] == told["changed, number"]["questions"] == 4
    assert told["changed"]["true found"]["mean"] == 0.5
    assert told["changed"]["past"] == told["changed"]["neither"] == 0.25
    assert told["never changed"]["true"] == 1.0


def test_every_plot_is_small(played: Played, tmp_path: Path):
    paths = draw(report(LIFE, played), tmp_path)

    assert len(paths) == 6
    assert all(0 < path.stat().st_size < 100_000 for path in paths)
