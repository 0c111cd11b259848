"""Links that rules find, what a model may propose, and which links a memory keeps (constants.md 2.4)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.asked import LinkProposal
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.link import Link, LinkFamily, LinkType
from graph_memory.domain.link_rules import (
    Linkable,
    LinkRules,
    SharedName,
    accepted_links,
    floor_links,
    planned,
    pruned,
)
from graph_memory.domain.memory import Emotion
from graph_memory.domain.vocabulary import MemoryId, NodeId

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
RULES = LinkRules()


def memory(name: str, hours: float = 0.0, *, session: str | None = None, **emotion: float) -> Linkable:
    at = NOON + hours * HOUR
    return Linkable(
        id=MemoryId(name),
        occurred_at=at,
        valid_at=at,
        invalid_at=FAR_FUTURE,
        session_id=session,
        emotion=Emotion(**emotion),
    )


def held(name: str, start: float, end: float) -> Linkable:
    """Far from every other in time, but true from an hour to another."""
    return Linkable(
        id=MemoryId(name),
        occurred_at=NOON + start * 1_000 * HOUR,
        valid_at=NOON + start * HOUR,
        invalid_at=NOON + end * HOUR,
    )


def found(first: Linkable, second: Linkable, rules: LinkRules = RULES, **known) -> dict[LinkType, Link]:
    return {link.type: link for link in floor_links(first, second, rules=rules, at=NOON, **known)}


def ends(link: Link) -> tuple[str, str]:
    return link.source, link.target


# Time


@pytest.mark.parametrize(
    ("hours", "weight"), [(0.5, 1 - 0.5 / 24), (16.8, 0.3), (16.79, 1 - 16.79 / 24), (23.9, 0.3), (24.0, 0.3)]
)
def test_what_lies_at_most_a_day_apart_precedes(hours, weight):
    link = found(memory("m-1"), memory("m-2", hours))[LinkType.PRECEDES]

    assert (ends(link), link.weight) == (("m-1", "m-2"), pytest.approx(weight))


def test_what_lies_more_than_a_day_apart_precedes_only_in_one_session():
    late = 24.0 + 1e-3

    assert found(memory("m-1"), memory("m-2", late)) == {}
    assert found(memory("m-1", session="s-1"), memory("m-2", late, session="s-2")) == {}
    [link] = found(memory("m-1", session="s"), memory("m-2", 100, session="s")).values()
    assert (link.type, link.weight, link.reason) == (LinkType.PRECEDES, 0.3, "4 days earlier in the same session")


def test_the_earlier_precedes_in_whatever_order_the_two_are_given():
    early, late = memory("m-9"), memory("m-1", 2)

    assert floor_links(early, late, rules=RULES, at=NOON) == floor_links(late, early, rules=RULES, at=NOON)
    assert ends(found(late, early)[LinkType.PRECEDES]) == ("m-9", "m-1")


def test_what_happens_in_one_minute_is_concurrent_and_neither_precedes():
    in_the_minute = found(memory("m-1"), memory("m-2", 59 / 3600))
    in_the_next = found(memory("m-1"), memory("m-2", 60 / 3600))

    assert {kind: link.weight for kind, link in in_the_minute.items()} == {LinkType.CONCURRENT_WITH: 1.0}
    assert set(in_the_next) == {LinkType.PRECEDES}


def test_what_was_stored_in_one_go_without_a_date_is_not_concurrent_for_that():
    undated = [replace(memory(name, hours), dated=False) for name, hours in (("m-1", 0), ("m-2", 0.01))]
    in_session = [replace(each, session_id="s") for each in undated]

    assert found(*undated) == {}
    assert set(found(*in_session)) == {LinkType.CONCURRENT_WITH}
    assert set(found(undated[0], memory("m-3"))) == {LinkType.CONCURRENT_WITH}


@pytest.mark.parametrize(
    ("first", "second", "concurrent"),
    [((0, 2), (1, 3), True), ((0, 2), (2, 3), False), ((0, 9), (1, 3), True), ((4, 5), (1, 3), False)],
)
def test_closed_intervals_that_overlap_are_concurrent(first, second, concurrent):
    links = found(held("m-1", *first), held("m-2", *second))

    assert (LinkType.CONCURRENT_WITH in links) is concurrent


def test_an_open_interval_overlaps_nothing():
    assert found(held("m-1", 0, 2), memory("m-2", 200)) == {}


# Emotion


@pytest.mark.parametrize(
    ("first", "second", "weight"),
    [
        ({"joy": 0.5}, {"joy": 0.9}, 0.5),
        ({"joy": 0.49}, {"joy": 0.9}, None),
        ({"joy": 0.9, "arousal": 0.1}, {"joy": 0.9, "arousal": 0.3}, 0.9),
        ({"joy": 0.9, "arousal": 0.1}, {"joy": 0.9, "arousal": 0.31}, None),
        ({"joy": 0.9, "fear": 0.6}, {"fear": 0.7}, None),
    ],
)
def test_an_emotion_is_shared_when_the_strongest_of_both_is_the_same_and_strong(first, second, weight):
    link = found(memory("m-1", **first), memory("m-2", 100, **second)).get(LinkType.SHARES_EMOTION)

    assert (link.weight if link else None) == weight


@pytest.mark.parametrize(
    ("first", "second", "weight"), [(-0.5, 0.5, 0.5), (-0.49, 0.5, None), (-1.0, 1.0, 1.0), (0.0, 1.0, None)]
)
def test_emotions_contrast_when_their_valences_lie_at_least_one_apart_on_either_side(first, second, weight):
    link = found(memory("m-1", valence=first), memory("m-2", 100, valence=second)).get(LinkType.CONTRASTS_EMOTION)

    assert (link.weight if link else None) == weight


# Names and meaning


def test_shared_names_join_the_later_to_the_earlier_and_the_reason_tells_them():
    names, rules = [SharedName(3, "Porto"), SharedName(2, "Dora")], replace(RULES, shared_names_most=3)

    link = found(memory("m-1"), memory("m-2", 100), rules, shared=names)[LinkType.REFERS_TO]

    assert (ends(link), link.reason) == (("m-2", "m-1"), "both name Dora, Porto")
    assert 0.8 < link.weight < 0.96


def test_a_name_that_more_know_tells_less_and_one_that_many_know_nothing():
    rules = replace(RULES, shared_names_most=4)

    def weight(known_by: int) -> float:
        links = found(memory("m-1"), memory("m-2", 100), shared=[SharedName(known_by, "Porto")], rules=rules)
        return links[LinkType.REFERS_TO].weight if links else 0.0

    weights = [weight(known_by) for known_by in range(2, rules.shared_names_most + 2)]

    assert weights == sorted(weights, reverse=True)
    assert weights[0] == pytest.approx(0.8)
    assert weights[-2] > 0.0
    assert weights[-1] == 0.0


@pytest.mark.parametrize(("cosine", "similar"), [(0.7, False), (0.7 + 1e-6, True), (0.99, True), (None, False)])
def test_only_a_cosine_above_the_threshold_is_similar(cosine, similar):
    links = found(memory("m-1"), memory("m-2", 100), cosine=cosine)

    assert {kind: link.weight for kind, link in links.items()} == ({LinkType.SIMILAR_TO: cosine} if similar else {})


# What a model proposes


def proposal(kind: LinkType, source: str, target: str, confidence: float = 0.9, reason: str | None = "so it says"):
    return LinkProposal(
        type=kind, source=MemoryId(source), target=MemoryId(target), confidence=confidence, reason=reason
    )


def accepted(*proposals: LinkProposal) -> tuple[list[Link], int]:
    asked = {each.id: each for each in (memory("m-1"), memory("m-2", 1), memory("m-3", 2))}
    pairs = {frozenset({MemoryId("m-1"), MemoryId("m-2")}), frozenset({MemoryId("m-1"), MemoryId("m-3")})}
    return accepted_links(proposals, asked, pairs, rules=RULES, at=NOON, most_characters=5)


def test_a_sure_proposal_becomes_a_link_that_weighs_what_the_model_is_sure_of():
    [link], left_out = accepted(proposal(LinkType.LEADS_TO, "m-2", "m-1", 0.5))

    assert (link.type, ends(link), link.weight, link.confidence) == (LinkType.LEADS_TO, ("m-2", "m-1"), 0.5, 0.5)
    assert (link.origin, link.reason, left_out) == ("model", "so it", 0)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(proposal(LinkType.LEADS_TO, "m-1", "m-2", 0.49), id="not sure enough"),
        pytest.param(proposal(LinkType.LEADS_TO, "m-1", "m-2", 1.5), id="surer than can be"),
        pytest.param(proposal(LinkType.LEADS_TO, "m-2", "m-3"), id="a pair that was not asked about"),
        pytest.param(proposal(LinkType.LEADS_TO, "m-1", "m-8"), id="an unknown id"),
        pytest.param(proposal(LinkType.LEADS_TO, "m-1", "m-1"), id="to itself"),
        pytest.param(proposal(LinkType.SIMILAR_TO, "m-1", "m-2"), id="what is measured"),
        pytest.param(proposal(LinkType.NEXT, "m-1", "m-2"), id="sequence"),
        pytest.param(proposal(LinkType.SUPERSEDED_BY, "m-1", "m-2"), id="truth"),
        pytest.param(proposal(LinkType.DISTILLED_FROM, "m-1", "m-2"), id="derivation"),
        pytest.param(proposal(LinkType.PRECEDES, "m-2", "m-1"), id="against the dates"),
        pytest.param(proposal(LinkType.SUCCEEDS, "m-1", "m-2"), id="against the dates, inverse"),
    ],
)
def test_a_proposal_that_breaks_a_rule_is_left_out(wrong):
    assert accepted(wrong) == ([], 1)


def test_of_two_proposals_for_a_pair_the_surer_one_stays():
    links, left_out = accepted(proposal(LinkType.ENABLES, "m-1", "m-2", 0.6), proposal(LinkType.LEADS_TO, "m-1", "m-2"))

    assert ([link.type for link in links], left_out) == ([LinkType.LEADS_TO], 1)


# What stays


def link(
    kind: LinkType, source: str, target: str, weight: float = 0.5, *, origin: str = "rule", discovered: bool = True
) -> Link:
    return Link(
        type=kind,
        source=NodeId(source),
        target=NodeId(target),
        weight=weight,
        origin=origin,
        discovered=discovered and origin != "user",
        created_at=NOON,
    )


def many(kind: LinkType, count: int, **told) -> list[Link]:
    return [link(kind, "m", f"{kind.value.lower()}-{number:02}", 0.5 + number / 100, **told) for number in range(count)]


def test_the_weakest_of_twenty_one_goes():
    links = many(LinkType.SIMILAR_TO, 21)

    assert pruned(links, most=20) == [links[0]]
    assert pruned(links[:20], most=20) == []


def test_the_last_of_a_family_stays_however_weak():
    links = [*many(LinkType.SIMILAR_TO, 20), link(LinkType.LEADS_TO, "m", "cause", 0.01)]

    assert pruned(links, most=20) == [links[0]]


def test_what_was_made_by_hand_goes_last():
    by_hand = many(LinkType.SIMILAR_TO, 3, origin="user")
    links = [*many(LinkType.PRECEDES, 19), *by_hand]

    gone = pruned(links, most=20)

    assert [each.target for each in gone] == ["precedes-00", "precedes-01"]
    assert pruned(many(LinkType.SIMILAR_TO, 22, origin="user"), most=20) == many(LinkType.SIMILAR_TO, 2, origin="user")


def test_sequence_truth_derivation_and_what_a_text_names_are_neither_counted_nor_pruned():
    others = [
        *many(LinkType.NEXT, 5, origin="user"),
        *many(LinkType.SUPERSEDED_BY, 5, origin="user"),
        *many(LinkType.DISTILLED_FROM, 5, origin="user"),
        *many(LinkType.REFERS_TO, 30, discovered=False),
    ]

    assert pruned([*others, *many(LinkType.SIMILAR_TO, 20)], most=20) == []


def test_what_stands_is_raised_to_the_larger_weight_from_whichever_end_it_is_asserted():
    standing = link(LinkType.SIMILAR_TO, "a", "b", 0.75)

    lower = planned([link(LinkType.SIMILAR_TO, "b", "a", 0.72)], [standing], rules=RULES)
    higher = planned([link(LinkType.SIMILAR_TO, "b", "a", 0.9)], [standing], rules=RULES)

    assert (lower.made, lower.raised, lower.removed) == ((), (), ())
    assert [(each.id, each.weight) for each in higher.raised] == [(standing.id, 0.9)]
    assert higher.made == ()


def test_an_inverse_says_the_same():
    standing = link(LinkType.BECAUSE_OF, "b", "a", 0.6, origin="user")

    plan = planned([link(LinkType.LEADS_TO, "a", "b", 0.8, origin="model")], [standing], rules=RULES)

    assert [(each.id, each.weight, each.origin) for each in plan.raised] == [(standing.id, 0.8, "user")]
    assert plan.made == ()


def test_what_a_text_names_needs_no_link_by_shared_names_and_stays_as_it_is():
    standing = link(LinkType.REFERS_TO, "a", "b", 0.5, discovered=False)

    plan = planned([link(LinkType.REFERS_TO, "b", "a", 0.8)], [standing], rules=RULES)

    assert (plan.made, plan.raised, plan.removed) == ((), (), ())


def test_a_stronger_link_takes_the_place_of_the_weakest_and_a_weaker_one_is_not_made():
    standing = many(LinkType.SIMILAR_TO, 20)

    stronger = planned([link(LinkType.SIMILAR_TO, "m", "new", 0.9)], standing, rules=RULES)
    weaker = planned([link(LinkType.SIMILAR_TO, "m", "new", 0.1)], standing, rules=RULES)

    assert [each.target for each in stronger.made] == ["new"]
    assert stronger.removed == (standing[0],)
    assert (weaker.made, weaker.removed) == ((), ())


def test_every_family_of_the_floor_is_one_that_is_counted():
    joy = {"joy": 0.9}
    links = found(memory("m-1", **joy), memory("m-2", 1, **joy), cosine=0.9, shared=[SharedName(2, "Porto")])

    assert {each.family for each in links.values()} == {
        LinkFamily.TEMPORAL,
        LinkFamily.EMOTIONAL,
        LinkFamily.ENTITY,
        LinkFamily.SEMANTIC,
    }
    assert all(each.discovered and each.origin == "rule" for each in links.values())
