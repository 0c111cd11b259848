"""Links that enrichment makes from what a text names: other memories, and persons and entities by how rare they are."""

from collections.abc import AsyncIterator

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from graph_memory.testing import HashingEmbedder
from tests.integration.graph import Graph

_REFERENCES = """
MATCH (m:Memory {id: $id})-[r:REFERS_TO]->(n:Memory)
RETURN n.id AS target, r.weight AS weight ORDER BY target
"""


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
    await graph.run("MATCH (m:Memory {user_id: $user}) SET m.enrich_due_at = m.created_at", user=user)

    while await services.enrich():
        pass

    assert (await graph.dump(user)).links == before
    assert await _references(graph, memory) == {desk.id: 0.33}


async def test_a_corrected_text_refers_to_what_it_names_now(services: Services, graph: Graph, user: UserId):
    await _told(services, user, "Oak desk", external_id="oak.md")
    ash = await _told(services, user, "Ash desk", external_id="ash.md")
    memory = await _told(services, user, "The lamp stands on [[oak.md]].")

    await services.revise.correct(user, memory.id, "The lamp stands on [[ash.md]].")
    while await services.enrich():
        pass

    assert await _references(graph, memory) == {ash.id: 1.0}


async def test_a_reference_made_by_hand_outlives_a_corrected_text(services: Services, graph: Graph, user: UserId):
    desk = await _told(services, user, "Oak desk", external_id="oak.md")
    memory = await _told(services, user, "The lamp stands on it.")
    await services.links.link(user, LinkType.REFERS_TO, memory.id, desk.id, weight=0.7, reason="[[oak.md]]")

    await services.revise.correct(user, memory.id, "The lamp stands there.")
    while await services.enrich():
        pass

    assert await _references(graph, memory) == {desk.id: 0.7}


async def test_a_mention_of_a_person_weighs_less_the_more_memories_know_them(
    services: Services, graph: Graph, user: UserId
):
    drafts = [MemoryDraft(text=f"Chair {number} is done.", speaker="Ana") for number in range(25)]
    await services.remember.many(user, drafts)

    while await services.enrich():
        pass
    rows = await graph.run(
        "MATCH (:Memory {user_id: $user})-[r:REFERS_TO]->(:Person {name_key: 'ana'}) RETURN r.weight AS weight",
        user=user,
    )

    weights = sorted((row["weight"] for row in rows), reverse=True)
    assert weights[0] == services.settings.links.entity_weight
    assert weights == sorted(set(weights), reverse=True)
    assert len(weights) == 25
    assert weights[20] == pytest.approx(0.4725, abs=1e-4)
