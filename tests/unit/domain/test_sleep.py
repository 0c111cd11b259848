"""Reports of runs: added up, bounded, and true about a worker that is gone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from graph_memory.domain.asked import Question
from graph_memory.domain.model_usage import Tokens, Use
from graph_memory.domain.sleep import LOST_WORKER, Beat, Count, Planned, Run, RunStatus, StepReport, bounded
from graph_memory.domain.vocabulary import MemoryId, UserId

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
RUN = Run(
    id="run-1",
    user_id=UserId("ann"),
    beat=Beat.CYCLE,
    status=RunStatus.RUNNING,
    at=NOON,
    started_at=NOON,
    alive_until=NOON + timedelta(minutes=10),
)


def test_two_reports_add_up():
    one = StepReport(counts={Count.MERGED: 2}, plan=(Planned(action="merge"),), notes=("one",), statistics={"a": 1})
    two = StepReport(counts={Count.MERGED: 1, Count.FADED: 3}, notes=("two",), statistics={"b": 2})

    both = one.plus(two)

    assert both.counts == {Count.MERGED: 3, Count.FADED: 3}
    assert (both.plan, both.notes, both.statistics) == ((Planned(action="merge"),), ("one", "two"), {"a": 1, "b": 2})


def test_estimates_add_up_by_question():
    one = StepReport(estimate={Question.DISTIL: Use(calls=1, cost=0.5), Question.MERGE: Use(calls=2)})
    two = StepReport(estimate={Question.DISTIL: Use(calls=3, tokens=Tokens(input=7, output=8), cost=0.25)})

    assert one.plus(two).plus(StepReport()).estimate == {
        Question.DISTIL: Use(calls=4, tokens=Tokens(input=7, output=8), cost=0.75),
        Question.MERGE: Use(calls=2),
    }


def test_a_run_that_shows_no_life_has_failed_whatever_it_last_wrote():
    before, after = RUN.seen(RUN.alive_until - timedelta(seconds=1)), RUN.seen(RUN.alive_until)

    assert before == RUN
    assert (after.status, after.finished_at, after.report.notes) == (RunStatus.FAILED, RUN.alive_until, (LOST_WORKER,))


def test_a_run_that_has_ended_stays_as_it_ended():
    done = replace(RUN, status=RunStatus.DONE, finished_at=NOON)

    assert done.seen(NOON + timedelta(days=1)) == done


def test_a_plan_is_cut_to_its_bound_and_says_so():
    report = StepReport(
        plan=tuple(Planned(action="promote", text="x" * 30) for _ in range(5)),
        notes=tuple(f"note {number}" for number in range(4)),
    )

    stored = bounded(report, most_planned=2, most_characters=10, most_notes=3)

    assert [each.text for each in stored.plan] == ["x" * 9 + "…"] * 2
    assert stored.notes == ("note 0", "note 1", "note 2", "the plan has 3 more entries than are shown", "1 more notes")


def test_what_fits_is_left_as_it_is():
    report = StepReport(plan=(Planned(action="promote", text="short"),), notes=("one",))

    assert bounded(report, most_planned=1, most_characters=5, most_notes=1) == report
    assert bounded(report, most_planned=9, most_characters=9, most_notes=9) == report


def test_a_planned_thing_reads_as_one_object():
    planned = Planned(action="merge", memory_ids=(MemoryId("m-1"),), text="Ana rows.", detail={"cosine": 0.9})

    assert planned.document() == {"action": "merge", "memories": ["m-1"], "text": "Ana rows.", "cosine": 0.9}
