"""The Python client as a caller meets it: what it answers, and what it says when it is used wrongly."""

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from graph_memory import (
    ConflictError,
    GraphMemory,
    InvalidValueError,
    Kind,
    LinkType,
    MemoryDraft,
    NotFoundError,
    Settings,
    StoreError,
    UserSettings,
    WriteOperation,
)
from graph_memory.domain.vocabulary import UserId
from graph_memory.testing import HashingEmbedder


def client(settings: Settings, user: str) -> GraphMemory:
    return GraphMemory.connect(user_id=user, settings=settings, embedder=HashingEmbedder())


@pytest.fixture
async def memory(settings: Settings, user: UserId) -> AsyncIterator[GraphMemory]:
    async with client(settings, user) as memory:
        yield memory


async def test_feedback_and_context_are_calls_of_the_client(memory: GraphMemory):
    await memory.remember("The canoe lies under the bridge.", pinned=True)
    answer = await memory.recall("where is the canoe", reinforce=False, mode="cued", token_budget=200)
    [hit] = answer.hits

    [used] = await memory.feedback(answer.receipt_id, used=[hit.memory.id])

    assert used.access_count == 1
    assert "under the bridge" in answer.context
    assert "under the bridge" in await memory.context(token_budget=200)


async def test_what_was_remembered_is_recalled(memory: GraphMemory):
    remembered = await memory.remember("The canoe lies under the bridge.", speaker="Ines", tags=["boat"])

    answer = await memory.recall("where is the canoe", k=3)

    assert remembered.operation is WriteOperation.ADD
    assert [hit.memory.id for hit in answer.hits] == [remembered.memory.id if remembered.memory else None]
    assert answer.hits[0].memory.tags == ("boat",)


async def test_words_of_closed_sets_may_be_written_as_text(memory: GraphMemory):
    await memory.remember("Oak is harder than pine.", kind="semantic")
    await memory.remember("I planed an oak plank.", kind="EPISODIC")

    page = await memory.memories(kinds=["semantic"])

    assert [each.kind for each in page.items] == [Kind.SEMANTIC]


async def test_an_unknown_field_or_word_is_named_and_nothing_is_stored(memory: GraphMemory):
    with pytest.raises(InvalidValueError) as caught:
        await memory.remember("Oak.", kind="rumour", colour="brown", tags="wood")

    assert {problem.field for problem in caught.value.problems} == {"kind", "colour", "tags"}
    assert (await memory.stats()).memories == 0


async def test_many_are_remembered_and_a_bad_one_fails_alone(memory: GraphMemory):
    outcome = await memory.remember_many([MemoryDraft(text="One canoe."), MemoryDraft(text=" ")])

    assert outcome.added == 1
    assert [row.index for row in outcome.failed] == [1]


async def test_a_memory_is_forgotten_restored_and_erased(memory: GraphMemory):
    written = (await memory.remember("The canoe leaks.")).memory
    assert written is not None

    await memory.forget(written.id)
    assert (await memory.recall("canoe")).hits == ()
    await memory.restore(written.id)
    assert len((await memory.recall("canoe")).hits) == 1
    await memory.erase(written.id)

    with pytest.raises(NotFoundError):
        await memory.memory(written.id)


async def test_an_update_changes_where_a_memory_belongs(memory: GraphMemory):
    written = (await memory.remember("The canoe leaks.")).memory
    assert written is not None

    updated = await memory.update(written.id, bucket="boats", category="fact")

    assert (updated.bucket, updated.category) == ("boats", "fact")


async def test_two_memories_are_linked_and_parted(memory: GraphMemory):
    first, second = [(await memory.remember(text)).memory for text in ("It rained.", "The river rose.")]
    assert first is not None
    assert second is not None

    link = await memory.link("leads_to", first.id, second.id, reason="the dam was shut")

    assert (link.type, link.source, link.target) == (LinkType.LEADS_TO, first.id, second.id)
    assert await memory.unlink(link.id)


async def test_people_and_entities_are_found_once_enriched(memory: GraphMemory):
    await memory.remember("We saw the Atomium together.", speaker="Ines", entities=("Atomium",), wait=True)

    people, entities = await memory.people(), await memory.entities()

    assert [person.name for person in people.items] == ["Ines"]
    assert [entity.name for entity in entities.items] == ["Atomium"]


async def test_a_memory_is_corrected_judged_pinned_and_used_with_its_history_kept(memory: GraphMemory):
    written = (await memory.remember("The canoe is green.", confidence=0.6)).memory
    assert written is not None

    await memory.correct(written.id, "The canoe is blue.", reason="misheard")
    await memory.doubt(written.id, reason="odd")
    await memory.pin(written.id)
    await memory.unpin(written.id)
    [used] = await memory.touch([written.id])

    assert (used.text, used.access_count, used.pinned) == ("The canoe is blue.", 1, False)
    assert [version.text for version in await memory.versions(written.id)] == ["The canoe is green."]
    actions = [change.action for change in (await memory.changes(written.id)).items]
    assert actions == ["touch", "unpin", "pin", "weaken", "edit", "add"]
    assert (await memory.confirm(written.id)).confirmed


async def test_decisions_follow_each_other_and_say_why(memory: GraphMemory):
    await memory.decide("We use SQLite", topic="database", reasoning="it is there")
    decided = await memory.decide("We use Neo4j", topic="Database", reasoning="it is a graph")
    await memory.record_outcome(decided.memory.id, "succeeded")

    [chain] = await memory.why("database")
    active = await memory.decisions(status="active")
    steps = await memory.supersession_chain(decided.superseded[0].id)

    assert [(step.memory.text, step.current) for step in chain.steps] == [
        ("We use SQLite", False),
        ("We use Neo4j", True),
    ]
    assert [each.text for each in active.items] == ["We use Neo4j"]
    assert [step.memory.id for step in steps] == [step.memory.id for step in chain.steps]
    with pytest.raises(InvalidValueError, match="outcome"):
        await memory.record_outcome(decided.memory.id, "so so")


async def test_a_memory_takes_the_place_of_another_once(memory: GraphMemory):
    old, new = [(await memory.remember(text)).memory for text in ("The key is here.", "The key is there.")]
    assert old is not None
    assert new is not None

    await memory.supersede(old.id, new.id, reason="moved")

    with pytest.raises(ConflictError):
        await memory.supersede(old.id, new.id)
    assert (await memory.contradictions()).items == ()


async def test_people_are_met_named_merged_and_parted(memory: GraphMemory):
    ines, nessie = await memory.mention("Ines Voss", sentiment=0.5), await memory.mention("Nessie Loch")

    await memory.add_alias(ines.person.id, "Nes")
    await memory.merge_people(ines.person.id, nessie.person.id)
    found = await memory.person("Nessie Loch")
    merge = (await memory.changes(ines.person.id, first=1)).items[0]
    await memory.undo_merge(merge.id)
    parted = await memory.person("Nessie Loch")

    assert found is not None
    assert parted is not None
    assert (found.person.id, parted.person.id) == (ines.person.id, nessie.person.id)


async def test_a_user_chooses_a_zone_and_a_profile(memory: GraphMemory):
    await memory.update_settings(time_zone="Asia/Tokyo", tier_profile="sales")

    assert await memory.settings() == UserSettings(time_zone="Asia/Tokyo", tier_profile="sales")


async def test_another_user_on_the_same_connection_sees_nothing_of_the_first(memory: GraphMemory, other_user: UserId):
    written = (await memory.remember("My secret canoe.")).memory
    assert written is not None
    stranger = memory.as_user(other_user)

    assert (await stranger.recall("canoe")).hits == ()
    assert (await stranger.stats()).memories == 0
    with pytest.raises(NotFoundError):
        await stranger.memory(written.id)


async def test_everything_is_erased_only_when_confirmed(memory: GraphMemory):
    await memory.remember("The canoe leaks.")

    with pytest.raises(InvalidValueError):
        await memory.erase_everything(confirm="somebody else")
    erased = await memory.erase_everything(confirm=memory.user_id)

    assert erased.erased == 1
    assert (await memory.stats()).memories == 0


@pytest.mark.parametrize("user_id", ["", "  ", "a\x00b", "u" * 257])
def test_a_user_id_that_can_be_none_is_refused_at_once(user_id: str):
    with pytest.raises(InvalidValueError, match="user_id"):
        GraphMemory.connect(user_id=user_id)


async def test_a_client_that_is_not_open_says_how_to_open_it(settings: Settings, user: UserId):
    with pytest.raises(StoreError, match="not open; use it inside `async with"):
        await client(settings, user).recall("canoe")


async def test_a_closed_client_says_so_and_is_not_opened_again(settings: Settings, user: UserId):
    async with client(settings, user) as memory:
        pass

    with pytest.raises(StoreError, match="is closed"):
        await memory.recall("canoe")
    with pytest.raises(StoreError, match="connect anew"):
        await memory.__aenter__()


def test_two_event_loops_one_after_the_other_each_connect(settings: Settings, user: UserId):
    async def remember(text: str) -> int:
        async with client(settings, user) as memory:
            await memory.remember(text)
            return (await memory.stats()).memories

    counts = [asyncio.run(remember(text)) for text in ("One canoe.", "Two canoes.")]

    assert counts == [1, 2]


def test_one_embedder_serves_clients_in_two_threads(settings: Settings, user: UserId, other_user: UserId):
    embedder, counts = HashingEmbedder(), {}

    async def remember(owner: str) -> None:
        async with GraphMemory.connect(user_id=owner, settings=settings, embedder=embedder) as memory:
            await asyncio.gather(*(memory.remember(f"Canoe number {number} of {owner}.") for number in range(5)))
            counts[owner] = (await memory.stats()).memories

    threads = [threading.Thread(target=lambda who=who: asyncio.run(remember(who))) for who in (user, other_user)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert counts == {user: 5, other_user: 5}


async def test_a_client_used_in_a_second_loop_names_the_cause_at_once(memory: GraphMemory):
    def elsewhere() -> None:
        asyncio.run(memory.stats())  # type: ignore[arg-type]

    with pytest.raises(StoreError, match="belongs to the event loop that opened it"):
        await asyncio.to_thread(elsewhere)
    assert (await memory.stats()).memories == 0
