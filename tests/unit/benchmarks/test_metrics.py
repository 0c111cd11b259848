"""The measures, on lists short enough to work out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.corpora import Case
from tests.benchmarks.metrics import hit_at, interval_of_mean, ndcg_at, recall_at, reciprocal_rank
from tests.benchmarks.quality import Ranked, costs

RANKED = ["a", "b", "c", "d"]
ids = st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True)


@pytest.mark.parametrize(("k", "share"), [(1, 0.0), (2, 0.5), (3, 0.5), (4, 1.0), (9, 1.0)])
def test_recall_is_the_share_of_the_gold_among_the_first(k: int, share: float) -> None:
    assert recall_at(k, RANKED, {"b", "d"}) == share


def test_gold_that_was_not_recalled_at_all_lowers_recall() -> None:
    assert recall_at(4, RANKED, {"a", "x"}) == 0.5


@pytest.mark.parametrize(("k", "hit"), [(1, 0.0), (2, 1.0), (4, 1.0)])
def test_one_gold_among_the_first_is_a_hit(k: int, hit: float) -> None:
    assert hit_at(k, RANKED, {"b", "d"}) == hit


def test_the_first_gold_alone_gives_the_reciprocal_rank() -> None:
    assert reciprocal_rank(RANKED, {"c", "d"}) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKED, {"x"}) == 0.0


def test_gain_falls_with_the_logarithm_of_the_rank() -> None:
    best = 1 + 1 / math.log2(3)

    assert ndcg_at(4, RANKED, {"a", "b"}) == pytest.approx(1.0)
    assert ndcg_at(4, RANKED, {"a", "d"}) == pytest.approx((1 + 1 / math.log2(5)) / best)
    assert ndcg_at(3, RANKED, {"d"}) == 0.0


def test_a_list_shorter_than_the_gold_can_still_be_perfect() -> None:
    assert ndcg_at(2, RANKED, {"a", "b", "c"}) == pytest.approx(1.0)


@given(ranked=ids, gold=ids, k=st.integers(1, 10))
def test_every_measure_lies_between_none_and_all(ranked: list[str], gold: list[str], k: int) -> None:
    measured = [
        recall_at(k, ranked, gold),
        hit_at(k, ranked, gold),
        reciprocal_rank(ranked, gold),
        ndcg_at(k, ranked, gold),
    ]

    assert all(0.0 <= each <= 1.0 + 1e-12 for each in measured)


def test_the_interval_holds_the_mean_and_is_the_same_every_time() -> None:
    values = [0.0, 1.0] * 50

    low, high = interval_of_mean(values, seed=1)

    assert low < 0.5 < high
    assert (low, high) == interval_of_mean(values, seed=1)


def test_the_interval_of_equal_values_is_that_value() -> None:
    assert interval_of_mean([0.25] * 9, seed=1) == (0.25, 0.25)


def test_what_a_part_costs_is_told_question_by_question() -> None:
    case = Case("where?", "one", frozenset({"a"}))
    whole = [Ranked(case, ("a", "b")), Ranked(case, ("a", "b"))]
    without = [Ranked(case, ("b", "a")), Ranked(case, ("b", "c"))]

    lost = costs(whole, without)

    assert lost["r@5"].mean == pytest.approx(0.5)
    assert lost["MRR"].mean == pytest.approx(0.75)
    assert lost["MRR"].pays
    assert not costs(whole, whole)["MRR"].pays
