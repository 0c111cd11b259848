"""The audit rows of a step of belief: what came with it is told too, once, and nothing where nothing did."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from graph_memory.domain.change import Action, belief_change, penalty_change
from graph_memory.domain.contradiction import Conflict
from graph_memory.domain.memory import Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.tiers import TIER_PROFILES
from graph_memory.domain.vocabulary import Category
from graph_memory.services.use import with_side_effects
from graph_memory.settings import Settings
from graph_memory.testing import CountingIds

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=1)


def test_a_use_that_comes_with_a_step_of_belief_has_its_own_row_before_it(memory: Memory, laws: Reinforcement):
    used = laws.accessed(memory, LATER, profile=TIER_PROFILES["default"])
    after, ids = replace(used, confidence=0.9), CountingIds()
    belief = belief_change(ids.new(), memory, after, Action.CONFIRM, LATER)

    use, told = with_side_effects(belief, memory, after, ids=ids, actor="user")

    assert (use.action, told.action, told.field) == (Action.REINFORCE, Action.CONFIRM, "confidence")
    assert use.id < told.id
    assert isinstance(use.after, dict)
    assert use.after["base_strength"] == after.strength.base_strength
    assert "confidence" not in use.after


def test_a_step_of_belief_alone_has_one_row(memory: Memory):
    after, ids = replace(memory, confidence=0.65), CountingIds()
    belief = belief_change(ids.new(), memory, after, Action.WEAKEN, LATER)

    assert with_side_effects(belief, memory, after, ids=ids, actor="user") == (belief,)


def test_a_conflict_tells_the_base_the_end_and_the_place_that_it_took(memory: Memory):
    rules = Settings().succession_rules()
    after = rules.contradicted(memory, by=Category.FACT, conflict=Conflict.NEGATE, valid_at=LATER, at=LATER)

    row = penalty_change("c", memory, after, Action.CONTRADICT, LATER)

    assert isinstance(row.before, dict)
    assert isinstance(row.after, dict)
    assert set(row.after) == {"base_strength", "visible_until", "invalid_at", "expired_at", "state"}
    assert (row.before["state"], row.after["state"]) == ("core", "archive")
    assert row.before["base_strength"] == 1.0
    assert row.after["base_strength"] == after.strength.base_strength
