"""Each law of a played life sees what breaks it, and nothing else."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.decay import StrengthCurve
from graph_memory.domain.memory import Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.sleep import Count
from graph_memory.domain.vocabulary import MemoryId, State
from tests.simulation import laws as law
from tests.simulation.record import Context, Shown

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def curve(laws: Reinforcement) -> StrengthCurve:
    return laws.strength


def with_base(memory: Memory, base: float, curve: StrengthCurve) -> Memory:
    strength = replace(memory.strength, base_strength=base)
    return replace(memory, strength=strength, visible_until=curve.visible_until(strength))


def row(**given: object) -> law.Trace:
    told = {
        "target_id": "m",
        "at": NOON,
        "action": "access",
        "field": None,
        "before": None,
        "after": None,
        "reason": None,
    }
    return law.Trace(**{**told, **given})  # type: ignore[arg-type]


@pytest.mark.parametrize(("base", "broken"), [(0.0, True), (1e-6, False), (2.0, False), (2.1, True)])
def test_a_base_lies_within_what_a_strength_can_be(memory: Memory, curve: StrengthCurve, base: float, broken: bool):
    assert bool(list(law.strength_breaches([with_base(memory, base, curve)], curve, NOON))) is broken


def test_a_hidden_memory_needs_age_or_a_penalty(memory: Memory, curve: StrengthCurve):
    weak = with_base(memory, 0.12, curve)

    def breaches(ratios: Mapping[MemoryId, float], days: int) -> list[str]:
        return list(law.hidden_breaches([weak], ratios, curve, NOON + days * DAY))

    assert len(breaches({}, 10)) == 1
    assert breaches({weak.id: 0.3}, 10) == []  # undone it would be 0.4
    assert len(breaches({weak.id: 0.97}, 10)) == 1  # undone it would be hidden all the same
    assert breaches({}, 15) == []


def test_a_pinned_memory_is_never_hidden(memory: Memory):
    pinned = replace(memory, strength=replace(memory.strength, pinned=True))

    assert list(law.pin_breaches([pinned], NOON)) == []
    assert len(list(law.pin_breaches([replace(pinned, visible_until=NOON)], NOON))) == 1


def test_penalties_of_one_memory_multiply_whatever_rows_tell_them():
    trail = [
        row(
            action="suppress",
            target_id="r",
            field="base_strength",
            before={"m": 1.0, "n": 1.0},
            after={"m": 0.5, "n": 0.97},
        ),
        row(action="contradict", before={"base_strength": 0.5}, after={"base_strength": 0.1}),
        row(action="access", before={"base_strength": 0.1}, after={"base_strength": 0.2}),
    ]

    assert law.penalty_ratios(trail) == {"m": pytest.approx(0.1), "n": pytest.approx(0.97)}


def test_the_older_of_a_pair_may_be_shown_before_and_after_it_was_replaced():
    pair = law.Superseded("old", "new", NOON, NOON + DAY)

    def broken(at: datetime) -> bool:
        shown = Shown(at=at, ids=(MemoryId("new"), MemoryId("old")), tokens=1)
        return bool(list(law.supersession_breaches([shown], [pair])))

    assert [broken(NOON - DAY), broken(NOON), broken(NOON + DAY)] == [False, True, False]


def test_a_trail_must_lead_to_what_a_memory_holds_without_a_gap(memory: Memory, curve: StrengthCurve):
    def steps(*bases: float) -> Iterator[law.Trace]:
        for before, after in zip(bases[::2], bases[1::2], strict=True):
            yield row(before={"base_strength": before}, after={"base_strength": after})

    half = with_base(memory, 0.5, curve)

    assert list(law.trail_breaches([half], steps(1.0, 0.9, 0.9, 0.5))) == []
    assert len(list(law.trail_breaches([half], steps(1.0, 0.9, 0.8, 0.5)))) == 1
    assert len(list(law.trail_breaches([half], steps(1.0, 0.9)))) == 1


def test_a_trail_leads_to_states_and_beliefs_too(memory: Memory):
    archived = replace(memory, state=State.ARCHIVE, confidence=0.4)
    told = [
        row(action="state", field="state", before="core", after="archive"),
        row(action="weaken", field="confidence", before=0.8, after=0.4),
    ]

    assert list(law.trail_breaches([archived], told)) == []
    assert len(list(law.trail_breaches([archived], [told[0], replace(told[1], after=0.5)]))) == 1


def test_a_context_may_fill_its_budget_and_no_more():
    contexts = [Context(at=NOON, tokens=tokens, budget=100) for tokens in (0, 100, 101)]

    assert len(list(law.context_breaches(contexts))) == 1


def test_what_runs_report_is_what_the_trail_holds():
    trail = [row(action="state", field="state", before="core", after="dream")]

    assert list(law.report_breaches({Count.STATES_CHANGED: 1}, trail)) == []
    assert len(list(law.report_breaches({Count.STATES_CHANGED: 2}, trail))) == 1
    assert len(list(law.report_breaches({}, trail))) == 1
