"""Link discovery on the graph: what is joined, once and for one user; by rules and by a model; bounded, parked, dry."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.asked import LinkablePair, LinkProposal, Question
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import Link, LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Count, StepReport
from graph_memory.domain.vocabulary import EnrichmentStatus, MemoryId, UserId
from graph_memory.errors import InferenceError
from graph_memory.services.amend import Update
from graph_memory.services.recall import Question as Asking
from graph_memory.settings import LinkSettings, Settings
from graph_memory.testing import Asked, CountedPulse, FixedClock, HashingEmbedder, ScriptedLanguageModel
from tests.integration.graph import Graph

HOUR = timedelta(hours=1)
_FOUND = """
MATCH (a:Memory {user_id: $user})-[r]->(b:Memory)
WHERE r.discovered OR r.source = 'user'
RETURN type(r) AS type, a.id AS source, b.id AS target, r.weight AS weight, r.source AS origin, r.reason AS reason
ORDER BY type, source, target
"""
_DUE_AGAIN = "MATCH (m:Memory {user_id: $user}) SET m.link_due_at = m.created_at"


@asynccontextmanager
async def opened(
    settings: Settings, clock: FixedClock, *, model: ScriptedLanguageModel | None = None, **numbers: float
) -> AsyncIterator[Services]:
    """The product with a clock that stands, a model that says what it is told, and other numbers of discovery."""
    settings = replace(settings, links=replace(LinkSettings(), **numbers))  # type: ignore[arg-type]
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock, language_model=model) as services:
        yield services


@pytest.fixture
async def services(migrated_settings: Settings, clock: FixedClock) -> AsyncIterator[Services]:
    async with opened(migrated_settings, clock) as services:
        yield services


async def told(services: Services, user: UserId, text: str, **more) -> Memory:
    """A memory, enriched; a day after the one before, so that time alone joins none."""
    services.clock.advance(48 * HOUR)  # type: ignore[attr-defined]
    memory = (await services.remember(user, MemoryDraft(text=text, curate=False, **more), wait=True)).memory
    assert memory is not None
    return memory


async def discovered(services: Services, user: UserId, *, dry_run: bool = False) -> StepReport:
    return await services.discover_links(user, at=services.clock.now(), dry_run=dry_run, pulse=CountedPulse())


async def found(graph: Graph, user: UserId) -> list[tuple[str, str, str]]:
    return [(row["type"], row["source"], row["target"]) for row in await graph.run(_FOUND, user=user)]


async def links_of(services: Services, memory: Memory) -> list[Link]:
    page = await services.inspect.links_of(memory.user_id, memory.id, types=None, families=None, first=50, after=None)
    return list(page.items)


# What is joined


async def test_memories_that_share_a_rare_name_are_linked_and_recall_walks_the_link(
    migrated_settings: Settings, clock: FixedClock, user: UserId
):
    async with opened(migrated_settings, clock) as services:
        first = await told(services, user, "My aunt keeps bees near Vila Praia.")
        second = await told(services, user, "The ferry to Vila Praia was late.")
        await told(services, user, "Nothing else happened.")

        report = await discovered(services, user)
        links = await links_of(services, first)
        answer = await services.recall(user, Asking(query="Who keeps bees?", reinforce=False))

    [link] = [each for each in links if each.target == first.id]
    assert (link.type, link.source, link.origin) == (LinkType.REFERS_TO, second.id, "rule")
    assert (link.weight, link.reason) == (pytest.approx(0.8), "both name Vila Praia")
    assert report.counts == {Count.LINKS: 1}
    [hit] = [hit for hit in answer.hits if hit.memory.id == second.id]
    assert [(step.link_type, step.reason) for step in hit.path] == [(LinkType.REFERS_TO, "both name Vila Praia")]


async def test_a_name_that_many_know_links_none_of_them(migrated_settings: Settings, clock: FixedClock, user: UserId):
    async with opened(migrated_settings, clock, shared_names_most=3) as services:
        texts = [f"{activity} in Porto." for activity in ("Swimming", "A parade", "Rain", "Old friends")]
        memories = [await told(services, user, text) for text in texts]
        await discovered(services, user)

        ends = {
            end for each in memories for link in await links_of(services, each) for end in (link.source, link.target)
        }

    [_] = ends - {each.id for each in memories}  # only Porto itself is what they refer to


async def test_time_and_meaning_join_neighbours_each_pair_once(services: Services, graph: Graph, user: UserId):
    await told(services, user, "the lamp in the cellar is broken again")
    services.clock.advance(-42 * HOUR)  # type: ignore[attr-defined]
    await told(services, user, "the lamp in the cellar is broken")

    await discovered(services, user)

    assert [kind for kind, _, _ in await found(graph, user)] == ["PRECEDES", "SIMILAR_TO"]


async def test_a_second_run_adds_nothing_even_where_all_is_due_again(services: Services, graph: Graph, user: UserId):
    for text in ("We rowed to Vila Praia.", "Vila Praia has a lamp.", "the lamp is red", "the red lamp is old"):
        await told(services, user, text, session_id="s")
    await discovered(services, user)
    before = await graph.run(_FOUND, user=user)

    idle = await discovered(services, user)
    await graph.run(_DUE_AGAIN, user=user)
    again = await discovered(services, user)

    assert before
    assert (idle.counts, again.counts) == ({Count.LINKS: 0}, {Count.LINKS: 0})
    assert await graph.run(_FOUND, user=user) == before


async def test_no_link_joins_two_users_or_two_buckets_but_the_general_one(
    services: Services, graph: Graph, user: UserId, other_user: UserId
):
    text = "The lamp of Vila Praia is broken."
    general = await told(services, user, text, general=True)
    work = await told(services, user, text, bucket="work")
    home = await told(services, user, text, bucket="home")
    await told(services, other_user, text, bucket="work")

    await discovered(services, user)
    await discovered(services, other_user)

    assert {frozenset(ends) for _, *ends in await found(graph, user)} == {
        frozenset({work.id, general.id}),
        frozenset({home.id, general.id}),
    }
    assert await found(graph, other_user) == []


async def test_what_is_not_believed_any_more_gets_no_links(services: Services, graph: Graph, user: UserId):
    text = "The lamp of Vila Praia is broken."
    gone = await told(services, user, text)
    await told(services, user, f"{text} Really.")
    await services.amend.forget(user, gone.id)

    report = await discovered(services, user)

    assert await found(graph, user) == []
    assert report == StepReport(counts={Count.LINKS: 0})
    assert await services.discover_links.due(user, at=services.clock.now()) == 0


async def test_a_memory_keeps_its_share_of_links_and_one_of_each_family(
    migrated_settings: Settings, clock: FixedClock, graph: Graph, user: UserId
):
    async with opened(migrated_settings, clock, max_per_memory=5) as services:
        memories = [await told(services, user, f"the lamp in the cellar is broken {word}") for word in "abcdefghijkl"]
        by_hand = await services.links.link(user, LinkType.ENABLES, memories[0].id, memories[11].id, weight=0.01)

        report = await discovered(services, user)

        links = [await links_of(services, memory) for memory in memories]
    assert max(map(len, links)) == 5
    assert by_hand.id in {link.id for link in links[0]}
    assert any("the weakest of too many" in note for note in report.notes)


# Changes of what is joined


async def test_a_new_text_loses_the_links_of_the_old_one_and_finds_its_own(
    services: Services, graph: Graph, user: UserId
):
    first = await told(services, user, "We rowed to Vila Praia.")
    second = await told(services, user, "Vila Praia has a fair.")
    third = await told(services, user, "The mill of Monte Alto stands still.")
    await services.links.link(user, LinkType.LEADS_TO, first.id, third.id)
    await discovered(services, user)
    before = await found(graph, user)

    await services.revise.correct(user, second.id, "The fair of Monte Alto was small.")
    between = await found(graph, user)
    while await services.enrich():
        pass
    await discovered(services, user)

    by_hand = ("LEADS_TO", first.id, third.id)
    assert before == [by_hand, ("REFERS_TO", second.id, first.id)]
    assert between == [by_hand]
    assert await found(graph, user) == [by_hand, ("REFERS_TO", third.id, second.id)]


async def test_a_memory_that_moves_to_another_bucket_leaves_its_links_behind(
    services: Services, graph: Graph, user: UserId
):
    first = await told(services, user, "We rowed to Vila Praia.")
    await told(services, user, "Vila Praia has a fair.")
    await discovered(services, user)
    assert await found(graph, user)

    await services.amend.update(user, first.id, Update(bucket="work"))
    await discovered(services, user)

    assert await found(graph, user) == []


async def test_a_link_asserted_by_hand_is_the_users_from_then_on(services: Services, graph: Graph, user: UserId):
    first = await told(services, user, "We rowed to Vila Praia.")
    second = await told(services, user, "Vila Praia has a fair.")
    await discovered(services, user)

    await services.links.link(user, LinkType.REFERS_TO, second.id, first.id, weight=0.9, reason="she said so")
    await services.revise.correct(user, first.id, "We rowed home.")

    [row] = await graph.run(_FOUND, user=user)
    assert (row["origin"], row["weight"], row["reason"]) == ("user", 0.9, "she said so")


# A model


def about_links(model: ScriptedLanguageModel) -> list[Asked]:
    """What it was asked about links: others ask it, too."""
    return [asked for asked in model.asked if asked.question is Question.LINKS]


def causes(pairs: Sequence[LinkablePair]) -> tuple[LinkProposal, ...]:
    """Says that each earlier memory leads to the later one."""
    return tuple(
        LinkProposal(
            type=LinkType.LEADS_TO, source=pair.first.id, target=pair.second.id, confidence=0.6, reason="it follows"
        )
        for pair in pairs
    )


async def test_a_models_links_are_written_with_what_it_is_sure_of(
    migrated_settings: Settings, clock: FixedClock, graph: Graph, user: UserId
):
    model = ScriptedLanguageModel({Question.LINKS: causes})
    async with opened(migrated_settings, clock, model=model) as services:
        first = await told(services, user, "the pipe broke")
        second = await told(services, user, "the cellar was wet")

        await discovered(services, user)
        [link] = await links_of(services, first)

    assert (link.type, link.source, link.target) == (LinkType.LEADS_TO, first.id, second.id)
    assert (link.weight, link.confidence, link.origin, link.reason) == (0.6, 0.6, "model", "it follows")
    [asked] = about_links(model)  # the pair is asked about once, though both memories are in the batch
    assert [(pair.first.text, pair.second.text) for pair in asked.given[0]] == [
        ("the pipe broke", "the cellar was wet")
    ]


async def test_what_a_model_invents_changes_nothing(
    migrated_settings: Settings, clock: FixedClock, graph: Graph, user: UserId, other_user: UserId
):
    foreign: list[MemoryId] = []

    def invents(pairs: Sequence[LinkablePair]) -> tuple[LinkProposal, ...]:
        target = {"target": foreign[0], "confidence": 0.9}
        return (
            LinkProposal(type=LinkType.LEADS_TO, source=pairs[0].first.id, **target),
            LinkProposal(
                type=LinkType.SUPERSEDED_BY, source=pairs[0].first.id, target=pairs[0].second.id, confidence=1
            ),
            LinkProposal(type=LinkType.LEADS_TO, source=pairs[0].first.id, target=pairs[0].second.id, confidence=0.4),
        )

    async with opened(migrated_settings, clock, model=ScriptedLanguageModel({Question.LINKS: invents})) as services:
        foreign.append((await told(services, other_user, "the pipe broke")).id)
        await told(services, user, "the pipe broke")
        await told(services, user, "the cellar was wet")
        before = await graph.dump(other_user)

        report = await discovered(services, user)

    assert await found(graph, user) == []
    assert "3 proposals of the model not accepted" in report.notes
    assert await graph.dump(other_user) == before


async def test_a_link_that_would_close_a_ring_of_causes_or_times_is_refused(
    migrated_settings: Settings, clock: FixedClock, graph: Graph, user: UserId
):
    async with opened(migrated_settings, clock, model=ScriptedLanguageModel({Question.LINKS: causes})) as services:
        first = await told(services, user, "the pipe broke")
        services.clock.advance(-47 * HOUR)  # type: ignore[attr-defined]
        second = await told(services, user, "the cellar was wet")
        await services.links.link(user, LinkType.LEADS_TO, second.id, first.id)
        await services.links.link(user, LinkType.PRECEDES, second.id, first.id)

        report = await discovered(services, user)

    assert await found(graph, user) == [
        ("LEADS_TO", second.id, first.id),
        ("PRECEDES", second.id, first.id),
    ]
    assert "2 links refused: they would have closed a cycle" in report.notes


async def test_a_model_that_fails_three_times_leaves_the_rules_links_and_parks_the_memory_until_its_text_changes(
    migrated_settings: Settings, clock: FixedClock, graph: Graph, user: UserId
):
    model = ScriptedLanguageModel({Question.LINKS: InferenceError("no answer came")})
    async with opened(migrated_settings, clock, model=model) as services:
        first = await told(services, user, "We rowed to Vila Praia.")
        await told(services, user, "Vila Praia has a fair.")
        for _ in range(5):
            await discovered(services, user)
            clock.advance(HOUR)

        stats, parked = await services.inspect.stats(user), await services.inspect.memory(user, first.id)
        asked = len(about_links(model))
        await services.revise.correct(user, first.id, "We rowed to Vila Praia at noon.")
        while await services.enrich():
            pass
        await discovered(services, user)

    assert asked == 3
    assert (stats.parked, parked.enrichment) == (1, EnrichmentStatus.PARKED)
    assert len(about_links(model)) == 4
    assert [kind for kind, _, _ in await found(graph, user)] == ["REFERS_TO"]


# How the work is done


async def test_a_dry_run_writes_nothing_and_tells_what_would_be_linked(services: Services, graph: Graph, user: UserId):
    first = await told(services, user, "We rowed to Vila Praia.")
    second = await told(services, user, "Vila Praia has a fair.")
    before = await graph.dump(user)

    preview = await discovered(services, user, dry_run=True)
    unchanged = await graph.dump(user)
    done = await discovered(services, user)

    assert unchanged == before
    assert preview.counts == done.counts == {Count.LINKS: 1}
    [planned] = preview.plan
    assert (planned.memory_ids, planned.text) == ((second.id, first.id), "both name Vila Praia")


async def test_two_workers_take_each_memory_once(
    migrated_settings: Settings, clock: FixedClock, graph: Graph, user: UserId
):
    model = ScriptedLanguageModel({Question.LINKS: ()})
    async with (
        opened(migrated_settings, clock, model=model) as one,
        opened(migrated_settings, clock, model=model) as two,
    ):
        drafts = [MemoryDraft(text=f"lamp {number} of Vila Praia", curate=False) for number in range(100)]
        await one.remember.many(user, drafts)
        clock.advance(timedelta(seconds=1))  # each row is a moment younger than the one before
        while await one.enrich():
            pass

        async def work(services: Services) -> int:
            made = 0
            while await services.discover_links.due(user, at=clock.now()):
                made += (await discovered(services, user)).counts[Count.LINKS]
            return made

        made = await asyncio.gather(work(one), work(two), work(one))

    pairs = Counter(
        frozenset({pair.first.id, pair.second.id}) for asked in about_links(model) for pair in asked.given[0]
    )
    links = await found(graph, user)
    assert await graph.value("MATCH (m:Memory {user_id: $user}) RETURN count(m.linked_at)", user=user) == 100
    assert max(pairs.values()) <= 2  # once from either end
    assert sum(made) >= len(links) > 100  # those that went to make room were made, too
    assert len({(kind, frozenset(ends)) for kind, *ends in links}) == len(links)


async def test_what_is_due_is_known_by_user_and_bounded_by_run(
    migrated_settings: Settings, clock: FixedClock, user: UserId
):
    async with opened(migrated_settings, clock, run_most=4, batch=2) as services:
        for number in range(6):
            await told(services, user, f"lamp number {number}")
        pulse = CountedPulse()

        report = await services.discover_links(user, at=clock.now(), dry_run=False, pulse=pulse)
        due = await services.discover_links.due_users(at=clock.now(), limit=1_000)
        await discovered(services, user)
        after = await services.discover_links.due_users(at=clock.now(), limit=1_000)

    assert [(done, total) for _, done, total in pulse.told] == [(0, 4), (2, 4)]
    assert "2 memories left for the next run" in report.notes
    assert user in due
    assert user not in after
