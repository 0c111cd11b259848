"""The one line that says why a hit was found."""

from types import SimpleNamespace
from typing import cast

from graph_memory.domain.link import LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Channel, NodeId
from graph_memory.ports import Hit, PathStep, ScorePart
from graph_memory.services.reasons import FOUND_BY, reason

MEMORY = cast(Memory, SimpleNamespace(id="m-1"))


def hit(**given: object) -> Hit:
    fields = {"memory": MEMORY, "score": 1.0, "match": 0.5, "cosine": None, "ranks": {}, "parts": ()}
    return Hit(**{**fields, **given})  # type: ignore[arg-type]


def test_the_lists_that_found_it_are_named_with_its_place_in_each():
    found = hit(ranks={Channel.LEXICAL: 1, Channel.GRAPH: 7})

    assert reason(found) == "no. 1 by words, no. 7 by links"


def test_the_largest_addend_and_the_largest_that_takes_away_are_named():
    parts = (ScorePart("vector", 0.5, 1.3), ScorePart("text", 0.9, 0.4), ScorePart("is_question", 1.0, -0.7))

    assert reason(hit(parts=parts)) == "most from vector (+ 0.650), less for is question (- 0.700)"


def test_parts_about_what_stands_before_a_memory_are_told_in_words():
    parts = (ScorePart("before", 1.0, 1.4), ScorePart("before_subject", 1.0, -0.8))

    assert reason(hit(parts=parts)) == (
        "most from what it follows (+ 1.400), less for following the person asked for (- 0.800)"
    )


def test_the_way_over_links_is_told():
    steps = tuple(
        PathStep(node_id=NodeId(f"m-{hop}"), hop=hop, link_type=kind, weight=0.7, gain=1.0, activation=activation)
        for hop, kind, activation in ((1, LinkType.NEXT, 0.56), (2, LinkType.LEADS_TO, 0.3136))
    )

    assert reason(hit(path=steps)) == "reached over NEXT then LEADS_TO (activation 0.31)"


def test_the_way_tells_why_its_links_were_made():
    told = {"weight": 0.8, "gain": 1.0, "activation": 0.64, "reason": "both name Porto"}
    step = PathStep(node_id=NodeId("m"), hop=1, link_type=LinkType.REFERS_TO, **told)

    assert reason(hit(path=(step,))) == "reached over REFERS_TO (both name Porto) (activation 0.64)"


def test_a_hit_without_any_reason_says_so():
    assert reason(hit()) == "found by nothing in particular"


def test_every_channel_has_a_phrase():
    assert set(FOUND_BY) == set(Channel)
