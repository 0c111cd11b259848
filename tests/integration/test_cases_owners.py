"""Whose memory it is, what a link joins, and what stands after a bulk erasure (cases 12, 14, 15, 35, 39)."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import LinkType, link_id
from graph_memory.domain.memory import Memory
from graph_memory.domain.names import NameKind
from graph_memory.domain.vocabulary import Kind, NodeId, UserId
from graph_memory.errors import InvalidValueError, NotFoundError
from graph_memory.ports import MemoryFilter, NamedNode
from graph_memory.services.amend import Update
from graph_memory.services.inspect import NameFilter
from graph_memory.services.paging import PageRequest
from graph_memory.services.recall import Question
from tests.integration.graph import Graph


async def _written(services: Services, user: UserId, **draft: Any) -> Memory:
    written = await services.remember(user, MemoryDraft(**draft))
    assert written.memory
    return written.memory


async def _enriched(services: Services) -> None:
    while await services.enrich():
        pass


async def _people(services: Services, user: UserId) -> list[NamedNode]:
    page = await services.inspect.find_names(user, NameKind.PERSON, search=None, first=20, after=None)
    return list(page.items)


# Case 12


async def test_an_instant_comes_back_the_same_aware_in_utc_and_to_the_microsecond(
    services: Services, user: UserId, graph: Graph
):
    said = datetime(2031, 5, 1, 14, 30, 15, 123_457, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    memory = await _written(
        services, user, text="The desk is oak.", occurred_at=said, invalid_at=said + timedelta(days=9)
    )

    read = await services.inspect.memory(user, memory.id)

    assert read.occurred_at == said
    dates = [read.occurred_at, read.interval.valid_at, read.interval.invalid_at, read.interval.created_at]
    dates += [read.visible_until, read.states.dream_at, read.touched_at, *read.activation.stamps]
    assert {(type(date), date.utcoffset()) for date in dates} == {(datetime, timedelta(0))}
    assert read.interval.created_at == memory.interval.created_at
    types = await graph.run(
        "MATCH (m:Memory {id: $id}) RETURN valueType(m.occurred_at) AS a, valueType(m.created_at) AS b", id=memory.id
    )
    assert types == [{"a": "ZONED DATETIME NOT NULL", "b": "ZONED DATETIME NOT NULL"}]


# Case 14


async def test_erasing_all_of_one_user_leaves_the_other_untouched(
    services: Services, user: UserId, other_user: UserId, graph: Graph
):
    for owner in (user, other_user):
        for number in range(3):
            await _written(services, owner, text=f"Ana painted boat {number}.", speaker="Ana", session_id="s")
        await services.recall(owner, Question(query="boat"))
    await _enriched(services)
    await services.aftermath.settled()
    untouched = await graph.dump(other_user)

    erased = await services.amend.erase_everything(user, confirm=user)

    assert erased.erased == 3
    assert await graph.dump(other_user) == untouched
    assert len(await _people(services, other_user)) == 1
    left = await graph.dump(user)
    assert [node for node in left.nodes if "erase_everything" not in node] == []
    assert len(left.nodes) == 1
    assert left.links == ()


@pytest.mark.parametrize("nobody", ["", " ", "\u200b"])
async def test_erasing_all_of_nobody_is_refused(services: Services, nobody: str):
    with pytest.raises(InvalidValueError):
        await services.amend.erase_everything(UserId(nobody), confirm=nobody)


async def test_erasing_all_without_confirming_whose_is_refused(services: Services, user: UserId, other_user: UserId):
    await _written(services, user, text="The desk is oak.")

    with pytest.raises(InvalidValueError, match="confirm"):
        await services.amend.erase_everything(user, confirm=other_user)

    assert (await services.inspect.stats(user)).memories == 1


async def test_erasing_everything_again_is_harmless(services: Services, user: UserId):
    await _written(services, user, text="The desk is oak.")

    first = await services.amend.erase_everything(user, confirm=user)
    second = await services.amend.erase_everything(user, confirm=user)

    assert (first.erased, second.erased) == (1, 0)


# Case 15


async def test_no_list_count_or_search_of_one_user_shows_what_another_knows(
    services: Services, user: UserId, other_user: UserId
):
    known = await _written(
        services, user, text="Ana is a plumber in Porto.", speaker="Ana", kind=Kind.SEMANTIC, tags=("work",)
    )
    await _enriched(services)
    [ana] = await _people(services, user)
    inspect = services.inspect

    found = await inspect.find_memories(other_user, MemoryFilter(text="plumber"), PageRequest())
    by_name = await inspect.find_memories(other_user, MemoryFilter(), PageRequest(), named=NameFilter(people=("Ana",)))
    people = await inspect.find_names(other_user, NameKind.PERSON, search="an", first=5, after=None)
    entities = await inspect.find_names(other_user, NameKind.ENTITY, search=None, first=5, after=None)
    naming = await inspect.memories_naming(other_user, ana.id, first=5, after=None)
    links = await inspect.links_of(other_user, NodeId(known.id), first=5, after=None)
    answer = await services.recall(other_user, Question(query="plumber Ana Porto", people=("Ana",)))

    assert [page.items for page in (found, by_name, people, entities, naming, links)] == [()] * 6
    assert answer.hits == ()
    assert await inspect.count_memories(other_user, MemoryFilter(text="plumber")) == 0
    assert await inspect.count_names(other_user, NameKind.PERSON, search=None) == 0
    assert await inspect.count_memories_naming(other_user, ana.id) == 0
    assert await inspect.node(other_user, known.id) is None
    assert await inspect.node(other_user, ana.id) is None
    assert await inspect.node(other_user, link_id(LinkType.REFERS_TO, NodeId(known.id), ana.id)) is None
    assert (await inspect.stats(other_user)).memories == 0


@pytest.mark.parametrize("operation", ["memory", "update", "forget", "restore", "erase"])
async def test_another_users_memory_and_an_unknown_one_are_the_same_to_every_operation(
    services: Services, user: UserId, other_user: UserId, operation: str
):
    memory = await _written(services, user, text="The desk is oak.")
    calls = {
        "memory": services.inspect.memory,
        "update": lambda owner, memory_id: services.amend.update(owner, memory_id, Update(bucket="work")),
        "forget": services.amend.forget,
        "restore": services.amend.restore,
        "erase": services.amend.erase,
    }
    told = []

    for identifier in (memory.id, "unknown", "\x00"):
        with pytest.raises(NotFoundError) as caught:
            await calls[operation](other_user, identifier)
        told.append(str(caught.value).replace(repr(identifier), "ID"))

    assert len(set(told)) == 1
    assert (await services.inspect.memory(user, memory.id)).text == "The desk is oak."


# Case 35


async def test_a_link_that_was_made_can_be_read_back(services: Services, user: UserId):
    memory = await _written(services, user, text="The desk is oak.", speaker="Ana")
    await _enriched(services)
    [ana] = await _people(services, user)

    made = await services.links.link(user, LinkType.MENTIONED_IN, ana.id, memory.id, weight=0.9, reason="she said so")

    read = await services.inspect.node(user, made.id)
    assert read == made
    assert made.weight == 0.9
    page = await services.inspect.links_of(user, NodeId(memory.id), types=[made.type], first=5, after=None)
    assert made in page.items


@pytest.mark.parametrize("aim", ["name", "unknown", "another user's", "erased"])
@pytest.mark.parametrize("end", ["source", "target"])
async def test_a_link_to_what_is_not_there_is_an_error_and_makes_nothing(
    services: Services, user: UserId, other_user: UserId, graph: Graph, aim: str, end: str
):
    memory = await _written(services, user, text="The desk is oak.", speaker="Ana")
    foreign = await _written(services, other_user, text="The lamp is brass.")
    erased = await _written(services, user, text="The code is 4711.")
    await services.amend.erase(user, erased.id)
    missing = {"name": "Ana", "unknown": "mem-unknown", "another user's": foreign.id, "erased": erased.id}[aim]
    before = await graph.dump(user), await graph.dump(other_user)
    ends = {"source": memory.id, "target": memory.id, end: missing}

    with pytest.raises(NotFoundError) as caught:
        await services.links.link(user, LinkType.ENABLES, ends["source"], ends["target"])

    assert str(caught.value).replace(missing, "ID").replace(memory.id, "MEM") in (
        "no node with id 'ID or MEM'",
        "no node with id 'MEM or ID'",
    )
    assert (await graph.dump(user), await graph.dump(other_user)) == before


async def test_a_second_erasure_is_a_clean_not_found(services: Services, user: UserId):
    """Case 36, for what there is to erase."""
    memory = await _written(services, user, text="The code is 4711.")
    await services.amend.erase(user, memory.id)

    with pytest.raises(NotFoundError):
        await services.amend.erase(user, memory.id)


# Case 39

LONG = {"latin": "n" * 9_000, "chinese": "长" * 3_000}


@pytest.mark.parametrize("long", LONG.values(), ids=LONG)
@pytest.mark.parametrize("field", ["speaker", "people", "entities", "tags", "bucket", "session_id", "external_id"])
async def test_a_short_field_that_is_too_long_is_refused_in_characters_and_nothing_is_half_written(
    services: Services, user: UserId, graph: Graph, field: str, long: str
):
    value = (long,) if field in ("people", "entities", "tags") else long

    with pytest.raises(InvalidValueError, match=rf"{field}: has {len(long)} characters; at most \d+ are allowed"):
        await services.remember(user, MemoryDraft(text="The desk is oak.", **{field: value}))

    assert (await graph.dump(user)).nodes == ()


@pytest.mark.parametrize("long", LONG.values(), ids=LONG)
async def test_a_long_text_is_stored_whole_and_found_by_its_end(services: Services, user: UserId, long: str):
    memory = await _written(services, user, text=f"{long} 4711 behind", speaker="长" * 200, tags=("长" * 64,))

    answer = await services.recall(user, Question(query="4711"))

    assert [hit.memory.text for hit in answer.hits] == [f"{long} 4711 behind"]
    assert answer.hits[0].memory.id == memory.id
