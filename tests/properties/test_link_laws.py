"""Laws of what links a memory keeps."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.link import Link, LinkFamily, LinkType
from graph_memory.domain.link_rules import LinkRules, is_counted, planned, pruned
from graph_memory.domain.vocabulary import NodeId

AT = datetime(2031, 5, 1, tzinfo=UTC)
RULES = LinkRules(max_per_memory=6)
TYPES = list(LinkType)
WEIGHTS = st.floats(0.0, 1.0)


@st.composite
def links_of_one(draw) -> list[Link]:
    """Links of the memory "m", each to another one."""
    kinds = draw(st.lists(st.tuples(st.sampled_from(TYPES), WEIGHTS, st.sampled_from(["rule", "model", "user"]))))
    return [
        Link(
            type=kind,
            source=NodeId("m"),
            target=NodeId(f"n-{number}"),
            weight=weight,
            origin=origin,
            discovered=origin != "user",
            created_at=AT,
        )
        for number, (kind, weight, origin) in enumerate(kinds)
    ]


@st.composite
def webs(draw) -> list[Link]:
    """Links among few memories, so that many meet."""
    nodes = [f"n-{number}" for number in range(6)]
    drawn = draw(
        st.lists(
            st.tuples(
                st.sampled_from(TYPES),
                st.sampled_from(nodes),
                st.sampled_from(nodes),
                WEIGHTS,
                st.sampled_from(["rule", "model", "user"]),
            ),
            max_size=40,
        )
    )
    links = {
        (kind, source, target): Link(
            type=kind,
            source=NodeId(source),
            target=NodeId(target),
            weight=weight,
            origin=origin,
            discovered=origin != "user",
            created_at=AT,
        )
        for kind, source, target, weight, origin in drawn
        if source != target
    }
    return list(links.values())


def families(links: list[Link]) -> set[LinkFamily]:
    return {each.family for each in links if is_counted(each)}


@given(links_of_one(), st.integers(5, 12))
def test_pruning_leaves_at_most_so_many_and_every_family(links, most):
    kept = [each for each in links if each not in pruned(links, most=most)]

    counted = [each for each in kept if is_counted(each)]
    assert len(counted) == min(most, sum(map(is_counted, links)))
    assert families(kept) == families(links)


@given(links_of_one(), st.integers(5, 12))
def test_pruning_takes_nothing_that_is_not_counted_and_nothing_twice(links, most):
    gone = pruned(links, most=most)
    kept = [each for each in links if each not in gone]

    assert all(map(is_counted, gone))
    assert pruned(kept, most=most) == []


@given(links_of_one(), st.integers(5, 12))
def test_what_goes_is_never_better_than_what_stays_in_its_family(links, most):
    gone = pruned(links, most=most)
    kept = [each for each in links if is_counted(each) and each not in gone]

    def worth(link: Link) -> tuple[bool, float]:
        return link.origin == "user", link.weight

    for lost in gone:
        assert all(worth(lost) <= worth(each) for each in kept if each.family is lost.family)
    if any(each.origin == "user" for each in gone):  # all but the last of each family were made by hand
        assert len({each.family for each in kept if each.origin != "user"}) == len(
            [each for each in kept if each.origin != "user"]
        )


@given(webs(), webs())
def test_finding_the_same_again_changes_nothing(standing, found):
    plan = planned(found, standing, rules=RULES)
    removed, raised = {each.id for each in plan.removed}, {each.id: each for each in plan.raised}
    after = [raised.get(each.id, each) for each in standing if each.id not in removed] + list(plan.made)

    again = planned(plan.made, after, rules=RULES)

    assert (again.made, again.raised, again.removed) == ((), (), ())


@given(webs(), webs())
def test_who_gets_a_link_ends_with_at_most_so_many_and_no_pair_is_joined_twice_by_one_type(standing, found):
    plan = planned(found, standing, rules=RULES)
    removed = {each.id for each in plan.removed}
    after = [each for each in standing if each.id not in removed] + list(plan.made)

    for node in {end for each in plan.made for end in (each.source, each.target)}:
        assert sum(is_counted(each) for each in after if node in (each.source, each.target)) <= RULES.max_per_memory
    assert len({each.id for each in after}) == len(after)
