"""Links that enrichment makes from what a text names: other memories, and persons and entities by how rare they are."""

from collections.abc import AsyncIterator

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.names import mention_weight
from graph_memory.domain.vocabulary import UserId
from graph_memory.services.meet import MentionDraft
from graph_memory.settings import Settings
from graph_memory.testing import HashingEmbedder
from tests.integration.graph import Graph

_REFERENCES = """
MATCH (m:Memory {id: $id})-[r:REFERS_TO]->(n:Memory)
RETURN n.id AS target, r.weight AS weight ORDER BY target
"""
_DUE_AGAIN = "MATCH (m:Memory {user_id: $user}) SET m.enrich_due_at = m.created_at"
_HEADED = "Oak Desk: bought in May"
_NAMING = "The lamp stands on the Oak Desk."  # its capitals show a name before the memory that bears it is there


@pytest.fixture
async def services(migrated_settings: Settings) -> AsyncIterator[Services]:
    async with open_services(migrated_settings, embedder=HashingEmbedder()) as services:
        yield services


async def _told(services: Services, user: UserId, text: str, *, external_id: str | None = None) -> Memory:
    """A memory, enriched."""
    draft = MemoryDraft(text=text, external_id=external_id, curate=False)
    memory = (await services.remember(user, draft, wait=True)).memory
    assert memory is not None
    return memory


async def _enriched(services: Services) -> None:
    while await services.enrich():
        pass


async def _references(graph: Graph, memory: Memory) -> dict[str, float]:
    rows = await graph.run(_REFERENCES, id=memory.id)
    return {row["target"]: row["weight"] for row in rows}


@pytest.mark.parametrize("named_by", ["external id", "title", "id in brackets", "id"])
async def test_a_text_that_names_a_memory_refers_to_it(services: Services, graph: Graph, user: UserId, named_by: str):
    desk = await _told(services, user, "# Oak desk\nIt stands in Porto.", external_id="notes/desk.md")
    await _told(services, user, "The oak desk has three drawers.")
    name = {
        "external id": "[[notes/desk.md|desk]]",
        "title": "[[oak desk#Drawers]]",
        "id in brackets": f"[[{desk.id}]]",
        "id": desk.id,
    }[named_by]

    memory = await _told(services, user, f"The lamp belongs to {name}.")

    assert await _references(graph, memory) == {desk.id: 1.0}


async def test_a_title_in_a_script_without_blanks_is_found(services: Services, graph: Graph, user: UserId):
    desk = await _told(services, user, "机の話\nポルトにある。")

    memory = await _told(services, user, "ランプは[[机の話]]にある。")

    assert await _references(graph, memory) == {desk.id: 1.0}


async def test_a_name_that_several_memories_bear_is_shared_among_them(services: Services, graph: Graph, user: UserId):
    desks = [await _told(services, user, f"Desk {number}", external_id="desk.md") for number in range(4)]

    memory = await _told(services, user, "The lamp belongs to [[desk.md]].")

    assert await _references(graph, memory) == {desk.id: 0.5 for desk in desks}


async def test_a_name_that_too_many_memories_bear_links_to_none(services: Services, graph: Graph, user: UserId):
    for number in range(services.settings.links.max_named_memories + 1):
        await _told(services, user, f"Desk {number}", external_id="desk.md")

    memory = await _told(services, user, "The lamp belongs to [[desk.md]].")

    assert await _references(graph, memory) == {}


async def test_what_another_user_calls_so_is_never_meant(
    services: Services, graph: Graph, user: UserId, other_user: UserId
):
    foreign = await _told(services, other_user, "Oak desk", external_id="desk.md")

    memory = await _told(services, user, f"See [[desk.md]], [[Oak desk]], [[{foreign.id}]] and {foreign.id}.")

    assert await _references(graph, memory) == {}


async def test_a_forgotten_memory_is_not_meant(services: Services, graph: Graph, user: UserId):
    desk = await _told(services, user, "Oak desk", external_id="desk.md")
    await services.amend.forget(user, desk.id)

    memory = await _told(services, user, f"See [[desk.md]] and {desk.id}.")

    assert await _references(graph, memory) == {}


async def test_enriching_again_changes_no_link(services: Services, graph: Graph, user: UserId):
    desk = await _told(services, user, "Oak desk", external_id="desk.md")
    memory = await _told(services, user, "Ana keeps [[desk.md]] for Bruno Prado.")
    await graph.run("MATCH (:Memory {id: $id})-[r:REFERS_TO]->() SET r.weight = 0.33, r.uses = 7", id=memory.id)
    await _told(services, user, "Bruno Prado found [[desk.md]] too.")
    before = (await graph.dump(user)).links
    await graph.run(_DUE_AGAIN, user=user)

    await _enriched(services)

    assert (await graph.dump(user)).links == before
    assert await _references(graph, memory) == {desk.id: 0.33}


async def test_a_corrected_text_refers_to_what_it_names_now(services: Services, graph: Graph, user: UserId):
    await _told(services, user, "Oak desk", external_id="oak.md")
    ash = await _told(services, user, "Ash desk", external_id="ash.md")
    memory = await _told(services, user, "The lamp stands on [[oak.md]].")

    await services.revise.correct(user, memory.id, "The lamp stands on [[ash.md]].")
    await _enriched(services)

    assert await _references(graph, memory) == {ash.id: 1.0}


async def test_a_reference_made_by_hand_outlives_a_corrected_text(services: Services, graph: Graph, user: UserId):
    desk = await _told(services, user, "Oak desk", external_id="oak.md")
    memory = await _told(services, user, "The lamp stands on it.")
    await services.links.link(user, LinkType.REFERS_TO, memory.id, desk.id, weight=0.7, reason="[[oak.md]]")

    await services.revise.correct(user, memory.id, "The lamp stands there.")
    await _enriched(services)

    assert await _references(graph, memory) == {desk.id: 0.7}


async def test_a_mention_of_a_person_weighs_less_the_more_memories_know_them(
    services: Services, graph: Graph, user: UserId
):
    drafts = [MemoryDraft(text=f"Chair {number} is done.", speaker="Ana") for number in range(25)]
    await services.remember.many(user, drafts)

    await _enriched(services)
    rows = await graph.run(
        "MATCH (:Memory {user_id: $user})-[r:REFERS_TO]->(:Person {name_key: 'ana'}) RETURN r.weight AS weight",
        user=user,
    )

    weights = sorted((row["weight"] for row in rows), reverse=True)
    assert weights[0] == services.settings.links.entity_weight
    assert weights == sorted(set(weights), reverse=True)
    assert len(weights) == 25
    assert weights[20] == pytest.approx(0.4725, abs=1e-4)


async def test_a_mention_by_hand_weighs_as_much_as_one_that_was_read(services: Services, graph: Graph, user: UserId):
    memories = [await _told(services, user, f"Chair {number} is done.") for number in range(3)]
    for memory in memories:
        await services.meet.mention(user, MentionDraft(person="Ana", memory_id=memory.id))

    rows = await graph.run(
        "MATCH (m:Memory {user_id: $user})-[r:REFERS_TO]->(:Person) RETURN r.weight AS weight ORDER BY m.id", user=user
    )

    links = services.settings.links
    expected = [
        mention_weight(known, weight=links.entity_weight, rare_names=links.rare_names, least_weight=links.min_weight)
        for known in range(3)
    ]
    assert [row["weight"] for row in rows] == pytest.approx(expected)


# Headings


async def test_a_memory_refers_to_the_one_whose_heading_it_names_in_either_order(
    services: Services, graph: Graph, user: UserId, other_user: UserId
):
    headed = await _told(services, user, _HEADED)
    later = await _told(services, user, _NAMING)
    earlier = await _told(services, other_user, _NAMING)
    headed_later = await _told(services, other_user, _HEADED)

    assert await _references(graph, later) == {headed.id: 1.0}
    assert await _references(graph, earlier) == {headed_later.id: 1.0}
    assert await _references(graph, headed) == await _references(graph, headed_later) == {}


async def test_a_heading_that_is_known_is_named_without_capitals_too(services: Services, graph: Graph, user: UserId):
    headed = await _told(services, user, "Oak desk: bought in May")

    memory = await _told(services, user, "The lamp stands on the oak desk.")

    assert await _references(graph, memory) == {headed.id: 1.0}


@pytest.mark.parametrize("names_first", [True, False])
async def test_memories_written_together_refer_to_each_other_all_the_same(
    services: Services, graph: Graph, user: UserId, names_first: bool
):
    texts = sorted([_HEADED, _NAMING], reverse=names_first)
    drafts = [MemoryDraft(text=text, curate=False) for text in texts]
    written = await services.remember.many(user, drafts)
    memories = {each.memory.text: each.memory for each in written.results if each.memory}
    headed, naming = memories[_HEADED], memories[_NAMING]

    await _enriched(services)

    assert await _references(graph, naming) == {headed.id: 1.0}


async def test_a_heading_that_several_memories_bear_is_shared_and_one_that_too_many_bear_names_none(
    services: Services, graph: Graph, user: UserId
):
    most = services.settings.links.max_named_memories
    bearers = [await _told(services, user, f"{_HEADED}, leg {number}") for number in range(most)]
    shared = await _told(services, user, _NAMING)
    one_more = await _told(services, user, f"{_HEADED}, leg {most}")

    lost = await _told(services, user, f"{_NAMING} So does the vase.")

    assert await _references(graph, shared) == {bearer.id: pytest.approx(most**-0.5) for bearer in bearers}
    assert await _references(graph, lost) == await _references(graph, one_more) == {}


async def test_of_two_memories_with_one_heading_the_younger_refers_to_the_older(
    services: Services, graph: Graph, user: UserId
):
    older = await _told(services, user, _HEADED)
    younger = await _told(services, user, "Oak Desk: mended in June")

    assert await _references(graph, younger) == {older.id: pytest.approx(2**-0.5)}
    assert await _references(graph, older) == {}


async def test_a_heading_of_another_user_is_never_meant(
    services: Services, graph: Graph, user: UserId, other_user: UserId
):
    await _told(services, other_user, _HEADED)
    memory = await _told(services, user, _NAMING)
    await _told(services, other_user, "Oak Desk: mended in June")

    assert await _references(graph, memory) == {}


async def test_enriching_headings_again_changes_no_link(services: Services, graph: Graph, user: UserId):
    await _told(services, user, _HEADED)
    memory = await _told(services, user, _NAMING)
    await _told(services, user, "Oak Desk: mended in June")
    await graph.run("MATCH (:Memory {id: $id})-[r:REFERS_TO]->(:Memory) SET r.weight = 0.33", id=memory.id)
    before = (await graph.dump(user)).links
    await graph.run(_DUE_AGAIN, user=user)

    await _enriched(services)

    assert (await graph.dump(user)).links == before
    assert set((await _references(graph, memory)).values()) == {0.33}


async def test_a_corrected_text_no_longer_refers_to_a_heading_that_it_does_not_name(
    services: Services, graph: Graph, user: UserId
):
    await _told(services, user, _HEADED)
    ash = await _told(services, user, "Ash Desk: bought in June")
    memory = await _told(services, user, _NAMING)

    await services.revise.correct(user, memory.id, "The lamp stands on the Ash Desk.")
    await _enriched(services)

    assert await _references(graph, memory) == {ash.id: 1.0}


async def test_what_named_a_heading_is_no_longer_linked_when_the_heading_is_another(
    services: Services, graph: Graph, user: UserId
):
    headed = await _told(services, user, _HEADED)
    oak = await _told(services, user, _NAMING)
    ash = await _told(services, user, "The vase stands on the Ash Desk.")

    await services.revise.correct(user, headed.id, "Ash Desk: bought in May")
    await _enriched(services)

    assert await _references(graph, oak) == {}
    assert await _references(graph, ash) == {headed.id: 1.0}


async def test_a_text_without_its_heading_is_no_longer_referred_to_and_what_was_linked_by_hand_stays(
    services: Services, graph: Graph, user: UserId
):
    headed = await _told(services, user, _HEADED)
    naming = await _told(services, user, _NAMING)
    linked = await _told(services, user, "The lamp is blue.")
    await services.links.link(user, LinkType.REFERS_TO, linked.id, headed.id, weight=0.7, reason="names its heading")

    await services.revise.correct(user, headed.id, "It was bought in May.")
    await _enriched(services)

    assert await _references(graph, naming) == {}
    assert await _references(graph, linked) == {headed.id: 0.7}
