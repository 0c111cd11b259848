"""Spreading activation on small graphs, worked out by hand (cases.md 38, constants.md 2.5)."""

from dataclasses import replace
from datetime import UTC, datetime
from math import sqrt

import pytest

from graph_memory.domain.link import Link, LinkFamily, LinkType
from graph_memory.domain.spreading import Reached, SpreadRules, spread
from graph_memory.domain.vocabulary import NodeId

EVEN = dict.fromkeys(LinkFamily, 1.0)
# cases.md 38: hop factor 0.5, three hops, all weights 1.
HALVING = SpreadRules(hop_factor=0.5, hops=3, fan_power=0.0)


def link(ends: str, weight: float = 1.0, link_type: LinkType = LinkType.LEADS_TO) -> Link:
    source, target = ends.split("-")
    return Link(
        type=link_type,
        source=NodeId(source),
        target=NodeId(target),
        weight=weight,
        created_at=datetime(2031, 5, 1, tzinfo=UTC),
    )


def reached_from(
    seeds: dict[str, float],
    links: list[Link],
    *,
    rules: SpreadRules | None = None,
    gains: dict[LinkFamily, float] = EVEN,
) -> dict[str, Reached]:
    started = {NodeId(node): activation for node, activation in seeds.items()}
    return {
        str(node): found for node, found in spread(started, links, gains=gains, rules=rules or SpreadRules()).items()
    }


def activations(*args, **kwargs) -> dict[str, float]:
    return {node: found.activation for node, found in reached_from(*args, **kwargs).items()}


def test_case_38_a_chain_applies_the_factor_once_a_hop():
    chain = [link("a-b"), link("b-c"), link("c-d")]

    assert activations({"a": 1.0}, chain, rules=HALVING) == pytest.approx({"b": 0.5, "c": 0.25, "d": 0.125})


def test_case_38_a_diamond_keeps_the_best_path_and_not_the_sum():
    diamond = [link("a-b"), link("b-d"), link("a-c"), link("c-d")]

    got = activations({"a": 1.0}, diamond, rules=HALVING)

    assert got == pytest.approx({"b": 0.5, "c": 0.5, "d": 0.25})


def test_case_38_in_a_diamond_with_fan_the_start_shares_out_what_it_has():
    diamond = [link("a-b"), link("b-d"), link("a-c"), link("c-d", weight=0.5)]

    got = activations({"a": 1.0}, diamond)

    assert got == pytest.approx({"b": 0.8 / sqrt(2), "c": 0.8 / sqrt(2), "d": 0.64 / sqrt(2)})


def test_case_38_a_ring_ends_and_its_start_is_not_reached():
    ring = [link("a-b"), link("b-a")]

    assert activations({"a": 1.0}, ring, rules=HALVING) == pytest.approx({"b": 0.5})


def test_a_longer_ring_is_walked_both_ways_and_no_node_gains_by_it():
    ring = [link("a-b"), link("b-c"), link("c-a")]

    got = activations({"a": 1.0}, ring, rules=HALVING)

    assert got == pytest.approx({"b": 0.5, "c": 0.5})


def test_a_path_tells_each_step():
    found = reached_from({"a": 1.0}, [link("a-b", 0.9), link("c-b", 0.5, LinkType.REFERS_TO)])["c"]

    assert found.seed_id == "a"
    assert [(step.node_id, step.link.type, step.gain) for step in found.path] == [
        ("b", LinkType.LEADS_TO, 1.0),
        ("c", LinkType.REFERS_TO, 1.0),
    ]
    assert [step.activation for step in found.path] == pytest.approx([0.72, 0.72 * 0.8 * 0.5])


def test_two_hops_are_the_most_by_default():
    strong = [link("a-b"), link("b-c"), link("c-d")]

    assert set(activations({"a": 1.0}, strong)) == {"b", "c"}


def test_a_seed_is_found_only_by_what_another_seed_sends_it():
    pair = [link("a-b", 0.5), link("b-c", 0.9)]

    alone = activations({"a": 1.0}, pair)
    together = activations({"a": 1.0, "b": 0.6}, pair)

    assert "a" not in alone
    assert together["b"] == pytest.approx(0.4)  # a's share, not the 0.6 that b began with
    assert together["a"] == pytest.approx(0.6 * 0.4 / sqrt(2))


def test_a_hub_is_reached_but_not_expanded():
    spokes = [link(f"hub-m{number}") for number in range(4)]
    rules = SpreadRules(hub_degree=4)

    assert set(activations({"a": 1.0}, [link("a-hub"), *spokes], rules=rules)) == {"hub"}
    assert set(activations({"a": 1.0}, [link("a-hub"), *spokes[1:]], rules=rules)) == {"hub", "m1", "m2", "m3"}
    assert activations({"hub": 1.0}, [link("a-hub"), *spokes], rules=rules) == {}


def test_links_of_other_families_make_no_hub_and_no_fan():
    others = [link(f"a-s{number}", link_type=LinkType.SUPERSEDED_BY) for number in range(5)]

    got = activations({"a": 1.0}, [link("a-b"), *others], rules=SpreadRules(hub_degree=1))

    assert got == pytest.approx({"b": 0.8})


def test_the_ten_strongest_links_are_walked_and_the_fan_counts_no_more():
    star = [link(f"a-m{number:02}", 1.0 - number / 100) for number in range(15)]

    got = activations({"a": 1.0}, star)

    assert sorted(got) == [f"m{number:02}" for number in range(10)]
    assert got["m09"] == pytest.approx(0.8 * 0.91 / sqrt(10))


def test_a_weak_link_is_not_walked_but_takes_its_share():
    got = activations({"a": 1.0}, [link("a-b"), link("a-c", 0.09), link("a-d", 0.1)])

    assert set(got) == {"b"}
    assert got["b"] == pytest.approx(0.8 / sqrt(3))


def test_an_activation_at_the_floor_ends_the_walk():
    rules = SpreadRules(hop_factor=0.5, hops=3, floor=0.25)

    assert set(activations({"a": 1.0}, [link("a-b"), link("b-c"), link("c-d")], rules=rules)) == {"b"}


def test_what_is_similar_passes_on_less_for_it_was_found_by_meaning_already():
    got = activations({"a": 1.0, "x": 1.0}, [link("a-b", 0.9, LinkType.SIMILAR_TO), link("x-y", 0.9)])

    assert got["b"] == pytest.approx(0.8 * 0.9 * 0.3)
    assert got["y"] == pytest.approx(0.8 * 0.9)


def test_what_rules_found_passes_on_as_its_family_is_trusted_and_what_somebody_says_in_full():
    rules = SpreadRules(floor_factors={LinkFamily.TEMPORAL: 0.5, LinkFamily.ENTITY: 0.0})
    found = [
        replace(link(f"a-{kind.value}", 0.9, kind), discovered=True) for kind in (LinkType.PRECEDES, LinkType.REFERS_TO)
    ]
    said = replace(link("a-said", 0.9, LinkType.PRECEDES), discovered=True, origin="model")

    got = activations({"a": 1.0}, [*found, said], rules=rules)

    assert got == pytest.approx({"PRECEDES": 0.8 * 0.45 / sqrt(2), "said": 0.8 * 0.9 / sqrt(2)})


def test_a_family_with_gain_0_is_as_if_it_were_not_there():
    gains = {**EVEN, LinkFamily.CAUSAL: 0.0}

    got = activations({"a": 1.0}, [link("a-b"), link("a-c", 1.0, LinkType.REFERS_TO)], gains=gains)

    assert got == pytest.approx({"c": 0.8})


def test_a_neighbour_in_the_session_passes_on_what_its_factor_leaves():
    chain = [link("a-b", link_type=LinkType.NEXT)]

    assert activations({"a": 1.0}, chain, rules=SpreadRules(next_factor=0.25)) == pytest.approx({"b": 0.2})
    assert activations({"a": 1.0}, chain) == pytest.approx({"b": 0.8})


def test_the_link_that_led_to_a_node_takes_no_share_of_it():
    star = [link("a-b"), link("b-c"), link("b-d"), link("b-e", 0.05)]

    assert activations({"a": 1.0}, star)["c"] == pytest.approx(0.64 / sqrt(3))


def test_a_loop_and_a_seed_without_links_reach_nothing():
    assert activations({"a": 1.0, "z": 1.0}, [link("a-a")]) == {}


def test_of_equal_paths_the_shorter_counts():
    rules = SpreadRules(hop_factor=1.0, fan_power=0.0)

    found = reached_from({"a": 1.0}, [link("a-b"), link("b-c"), link("a-c")], rules=rules)

    assert [step.node_id for step in found["c"].path] == ["c"]
