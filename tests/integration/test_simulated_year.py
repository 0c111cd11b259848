"""Three months of a made life, played through the product: the laws that no use, time or sleep may break.

`python -m tests.benchmarks year` plays the whole year; docs/year.md shows what becomes of it.
"""

import asyncio
from uuid import uuid4

import pytest

from graph_memory.domain.change import Action
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from graph_memory.testing import HashingEmbedder
from tests.simulation.generate import QUARTER, live
from tests.simulation.laws import (
    compared_pairs,
    context_breaches,
    report_breaches,
    spacing_breaches,
    supersession_breaches,
    trail_breaches,
)
from tests.simulation.play import Pace
from tests.simulation.run import Lived, lived

PACE = Pace(cycle_hours=84, links_after_chats=False, snapshot_days=7, probe_days=28)


@pytest.fixture(scope="module")
def quarter(server_settings: Settings) -> Lived:
    """The life, played once for all tests of this module."""

    async def played() -> Lived:
        user = UserId(f"year-{uuid4().hex[:12]}")
        async with lived(server_settings, live(QUARTER), user, pace=PACE, embedder=HashingEmbedder()) as (told, _):
            return told

    return asyncio.run(played())


def test_the_life_makes_memories_fade_change_and_give_way(quarter: Lived):
    last, written = quarter.played.snapshots[-1], {row.action for row in quarter.trail}

    assert len(quarter.played.memories) > 400
    assert {state for state, count in last.by_state.items() if count} == {"core", "dream", "forgotten", "archive"}
    assert len(quarter.superseded) > 30
    assert {Action.ACCESS, Action.STATE, Action.SUPERSEDE, Action.NEGATE, Action.RE_EXPOSURE} <= written


def test_no_strength_leaves_its_range_and_nothing_is_hidden_without_a_reason(quarter: Lived):
    assert quarter.played.breaches == []


def test_what_was_superseded_never_comes_back_in_the_default_mode(quarter: Lived):
    assert list(supersession_breaches(quarter.played.shown, quarter.superseded)) == []


def test_a_fact_asked_about_at_growing_gaps_outlives_one_asked_about_in_a_burst(quarter: Lived):
    assert list(compared_pairs(quarter.life, quarter.played))
    assert list(spacing_breaches(quarter.life, quarter.played)) == []


def test_the_context_of_an_agent_stays_within_its_budget(quarter: Lived):
    assert len(quarter.played.contexts) == len(quarter.life.sessions)
    assert list(context_breaches(quarter.played.contexts)) == []


def test_the_audit_trail_leads_to_every_base_belief_and_state(quarter: Lived):
    assert list(trail_breaches(quarter.played.memories, quarter.trail)) == []


def test_what_the_runs_report_adds_up_with_the_audit_trail(quarter: Lived):
    assert quarter.played.failed == []
    assert list(report_breaches(quarter.played.reported, quarter.trail)) == []
