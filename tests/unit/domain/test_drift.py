"""Priorities and their drift: weights, likeness, and what makes a change a pivot."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.drift import (
    Drift,
    DriftRules,
    PrioritySnapshot,
    RecentDecision,
    TopicMentions,
    changed_topics,
    compared,
    priorities,
    shows_intent,
    similarity,
    topics_of,
)
from graph_memory.domain.vocabulary import MemoryId, UserId

RULES = DriftRules()
NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)


def snapshot(**weights: float) -> PrioritySnapshot:
    return PrioritySnapshot(id="new", user_id=UserId("ann"), at=NOON, weights=weights)


def before(**weights: float) -> PrioritySnapshot:
    return replace(snapshot(**weights), id="old", at=NOON - timedelta(days=30))


def decision(*topics: str, replaced: tuple[str, ...] = (), reasoning: str | None = None) -> RecentDecision:
    return RecentDecision(id=MemoryId("d-1"), topics=topics, superseded_topics=replaced, reasoning=reasoning)


def mentioned(topic: str, mentions: int, strength: float = 1.0) -> TopicMentions:
    return TopicMentions(topic=topic, mentions=mentions, mean_strength=strength)


def test_v38_two_snapshots_overlap_by_the_lesser_weights_over_the_greater():
    assert similarity({"x": 0.5, "y": 0.3, "z": 0.2}, {"x": 0.4, "y": 0.2, "w": 0.4}) == pytest.approx(
        0.4286, abs=0.0001
    )


def test_equal_snapshots_are_alike_and_disjoint_ones_are_not():
    assert similarity({"x": 0.5, "y": 0.5}, {"y": 0.5, "x": 0.5}) == 1.0
    assert similarity({"x": 1.0}, {"y": 1.0}) == 0.0


def test_a_weight_is_the_share_of_mentions_times_the_mean_strength():
    weights = priorities([mentioned("boat", 3, 1.0), mentioned("kiln", 1, 2.0)])

    # 3/4 · 1 = 0.75 and 1/4 · 2 = 0.5, of 1.25 in all.
    assert weights == pytest.approx({"boat": 0.6, "kiln": 0.4})
    assert list(weights) == ["boat", "kiln"]


def test_only_the_weightiest_topics_are_kept_and_still_make_one():
    weights = priorities(
        [mentioned(f"topic {number:02}", number) for number in range(1, 61)], rules=DriftRules(most_topics=2)
    )

    assert list(weights) == ["topic 60", "topic 59"]
    assert sum(weights.values()) == pytest.approx(1.0)


def test_nothing_mentioned_weighs_nothing():
    assert priorities([]) == {}
    assert priorities([mentioned("boat", 0)]) == {}


@pytest.mark.parametrize(
    ("topic_key", "bucket", "names", "topics"),
    [
        ("Main Boat", "work", ["porto"], ("main boat",)),
        (None, "Work", ["porto"], ("work",)),
        (None, "default", ["porto", "ana", "porto"], ("porto", "ana")),
        (None, "general", ["porto"], ("porto",)),
        (None, "default", [], ("default",)),
    ],
)
def test_a_memory_is_about_its_topic_else_its_bucket_else_whom_and_what_it_names(
    topic_key: str | None, bucket: str, names: list[str], topics: tuple[str, ...]
):
    assert topics_of(topic_key=topic_key, bucket=bucket, names=names) == topics


def test_what_overlaps_by_six_tenths_is_stable_and_just_below_is_not():
    # Moving weight w from x to y: similarity (1 - w) / (1 + w), 0.6 at w = 0.25.
    at_bound = compared(snapshot(x=0.75, y=0.25), before(x=1.0), [], rules=RULES)
    below = compared(snapshot(x=0.7499, y=0.2501), before(x=1.0), [], rules=RULES)

    assert (at_bound.drift, at_bound.similarity) == (Drift.STABLE, pytest.approx(0.6))
    assert below.drift is Drift.GRADUAL_DRIFT
    assert below.compared_with == "old"
    assert not below.too_early


def test_a_first_snapshot_is_stable_because_it_is_too_early():
    first = snapshot(x=1.0)

    assert (first.drift, first.similarity, first.too_early) == (Drift.STABLE, None, True)


@pytest.mark.parametrize(
    "shown",
    [
        decision("lisbon", replaced=("city",)),
        decision("city", replaced=("porto",)),
        decision("anything", reasoning="We have had enough of Porto."),
        decision("anything", reasoning="LISBON has the better light"),
    ],
)
def test_a_change_that_a_decision_means_is_a_pivot(shown: RecentDecision):
    turned = compared(snapshot(lisbon=0.9, tea=0.1), before(porto=0.9, tea=0.1), [shown], rules=RULES)

    assert (turned.drift, turned.decision_ids) == (Drift.DELIBERATE_PIVOT, ("d-1",))


@pytest.mark.parametrize(
    "shown",
    [
        decision("lisbon"),  # it replaced nothing
        decision("tea", replaced=("coffee",)),  # it is about something else
        decision("tea", reasoning="Lisbonense tiles are expensive"),  # no whole word
        decision("default", "general", replaced=("default",)),  # about nothing in particular
    ],
)
def test_a_decision_that_does_not_mean_the_change_leaves_it_a_drift(shown: RecentDecision):
    now, old = snapshot(lisbon=0.6, tea=0.1, default=0.3), before(porto=0.9, tea=0.1)

    drifted = compared(now, old, [shown], rules=RULES)

    assert (drifted.drift, drifted.decision_ids) == (Drift.GRADUAL_DRIFT, ())


def test_a_pivot_needs_a_change():
    shown = decision("x", replaced=("x",), reasoning="x")

    assert compared(snapshot(x=0.9, y=0.1), before(x=1.0), [shown], rules=RULES).drift is Drift.STABLE


def test_a_topic_in_a_script_without_blanks_is_named_inside_a_sentence():
    assert shows_intent(decision("家", reasoning="仕事のため東京に移る。"), frozenset({"東京"}))
    assert not shows_intent(decision("家", reasoning="仕事のため移る。"), frozenset({"東京"}))


def test_a_topic_has_changed_from_a_bound_on():
    assert changed_topics({"x": 0.5, "y": 0.5}, {"x": 0.55, "y": 0.45}, least=0.05) == {"x", "y"}
    assert changed_topics({"x": 0.5, "y": 0.5}, {"x": 0.54, "y": 0.46}, least=0.05) == set()
