"""The heart of sleep on the graph: episodes become statements, sources fade, schemas are found (constants.md 2.7)."""

import asyncio
import os
import random
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

import cypher
from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.asked import Distillate, InducedSchema, Question
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Count, StepReport
from graph_memory.domain.vocabulary import Category, Horizon, Kind, Source, UserId
from graph_memory.errors import InferenceError
from graph_memory.ports import MemoryFilter
from graph_memory.services.paging import PageRequest
from graph_memory.services.recall import Question as Asked
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder, ScriptedLanguageModel
from tests.architecture.sources import ROOT
from tests.integration.graph import Graph
from tests.integration.sleepers import cycle, sleep, sleeper

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
HEATING = (
    "The heating contract with Novak was renewed",
    "The heating contract with Novak was renewed today",
    "The heating contract was renewed with Novak again",
)
CHESS = (
    "Chess at the club went well tonight",
    "Chess at the club went badly tonight",
    "Chess at the club went well once more tonight",
)


@pytest.fixture
async def asleep(migrated_settings: Settings, clock: FixedClock) -> AsyncIterator[Services]:
    """The product with the test's clock, and nothing going on behind its back."""
    async with open_services(migrated_settings, embedder=HashingEmbedder(), clock=clock) as services:
        yield services


async def told(services: Services, user: UserId, *texts: str, **fields: Any) -> list[Memory]:
    """Memories, told in order and enriched."""
    written = await services.remember.many(user, [MemoryDraft(text=text, **fields) for text in texts])
    assert not written.failed
    while await services.enrich():
        pass
    return [each.memory for each in written.results if each.memory]


async def statements(services: Services, user: UserId, kind: Kind = Kind.SEMANTIC) -> list[Memory]:
    """All that sleep made of a kind."""
    wanted = MemoryFilter(kinds=(kind,))
    page = await services.inspect.find_memories(user, wanted, PageRequest(first=100))
    return [each for each in page.items if each.source is Source.CONSOLIDATED]


async def now(services: Services, memories: Sequence[Memory]) -> list[Memory]:
    """The same memories as they are now."""
    found = await services.inspect.memories(memories[0].user_id, [each.id for each in memories])
    return [found[each.id] for each in memories]


async def slept(services: Services, user: UserId, *, dry_run: bool = False) -> StepReport:
    """A run a little later, when all that was told is past."""
    return await sleep(services, user, at=services.clock.now() + MINUTE, dry_run=dry_run)


async def test_what_lies_together_becomes_one_statement_that_leads_to_its_sources(
    asleep: Services, user: UserId, graph: Graph
):
    sources = await told(asleep, user, *HEATING, speaker="Ana", category=Category.FACT)
    alone = await told(asleep, user, "A heron stood on the roof")

    report = await slept(asleep, user)

    [made] = await statements(asleep, user)
    assert report.counts == {Count.DISTILLED: 1, Count.FADED: 3}
    assert made.text in HEATING
    assert (made.source, made.epistemic_type, made.category) == ("consolidated", "observation", "fact")
    assert (made.speaker, made.bucket, made.confirmed) == ("Ana", "default", False)
    assert made.interval.valid_at == sources[0].interval.valid_at
    assert made.strength.base_strength == 1.0
    assert await asleep.inspect.sources(user, [made.id]) == {made.id: await now(asleep, sources)}
    waiting = await graph.run(
        "MATCH (m:Episodic {user_id: $user}) WHERE m.consolidated_at IS NULL RETURN m.id AS id", user=user
    )
    assert [row["id"] for row in waiting] == [alone[0].id]


async def test_a_statement_stands_for_the_source_whose_words_it_took_beside_the_other_sources(
    asleep: Services, user: UserId
):
    await told(asleep, user, *HEATING)
    await slept(asleep, user)
    [made] = await statements(asleep, user)
    asked = Asked(query="heating contract with Novak", k=5, reinforce=False)

    hits = (await asleep.recall(user, asked)).hits
    turns = (await asleep.recall(user, replace(asked, kinds=(Kind.EPISODIC,)))).hits

    assert hits[0].memory.id == made.id
    assert sorted(hit.memory.text for hit in hits) == sorted(HEATING)
    assert sorted(hit.memory.text for hit in turns) == sorted(HEATING)


async def test_sources_fade_by_their_nearness_once_and_say_why(asleep: Services, user: UserId, graph: Graph):
    sources = await told(asleep, user, *HEATING)
    await told(asleep, user, "A heron stood on the roof")

    await slept(asleep, user)

    [made] = await statements(asleep, user)
    links = await graph.run(
        "MATCH (:Semantic {id: $id})-[r:DISTILLED_FROM]->(m) RETURN m.id AS id, r.cosine AS cosine", id=made.id
    )
    kept = {row["id"]: 0.5 + 0.4 * (1.0 - row["cosine"]) for row in links}
    for before, after in zip(sources, await now(asleep, sources), strict=True):
        assert after.strength.base_strength == pytest.approx(kept[before.id])
        assert after.strength.anchor_at == before.strength.anchor_at
        assert after.visible_until < before.visible_until
        [change] = [
            each
            for each in (await asleep.inspect.changes_of(user, before.id, first=9, after=None)).items
            if each.action == "fade"
        ]
        assert (change.before, change.after) == (1.0, after.strength.base_strength)
        assert change.reason == f"distilled into {made.id}"


async def test_a_second_run_changes_nothing(asleep: Services, user: UserId, clock: FixedClock, graph: Graph):
    await told(asleep, user, *HEATING, *CHESS, "A heron stood on the roof", "Why did the boiler stop?")
    first = await slept(asleep, user)
    before = await graph.dump(user)

    again = await slept(asleep, user)
    clock.advance(6 * HOUR)
    later = await slept(asleep, user)

    assert first.counts[Count.DISTILLED] == 2
    assert again.counts == later.counts == {}
    assert await graph.dump(user) == before


async def test_a_dry_run_tells_what_a_run_then_does_and_writes_nothing(asleep: Services, user: UserId, graph: Graph):
    sources = await told(asleep, user, *HEATING)
    await told(asleep, user, "A heron stood on the roof")
    before = await graph.dump(user)

    foreseen = await slept(asleep, user, dry_run=True)

    assert await graph.dump(user) == before
    done = await slept(asleep, user)
    [planned] = foreseen.plan
    [made] = await statements(asleep, user)
    assert dict(foreseen.counts) | {Count.SCHEMAS: 0} == dict(done.counts) | {Count.SCHEMAS: 0}
    assert (planned.text, set(planned.memory_ids)) == (made.text, {each.id for each in sources})


async def test_noise_waits_and_is_taken_up_when_something_comes_beside_it(
    asleep: Services, user: UserId, clock: FixedClock
):
    await told(asleep, user, *HEATING[:2])
    early = await slept(asleep, user)
    clock.advance(DAY)
    await told(asleep, user, HEATING[2])

    late = await slept(asleep, user)

    assert early.counts == {}
    assert late.counts == {Count.DISTILLED: 1, Count.FADED: 3}


async def test_what_is_not_believed_and_what_only_asks_is_no_source(asleep: Services, user: UserId):
    forgotten, *_ = await told(asleep, user, *HEATING[:2])
    await told(asleep, user, "Was the heating contract renewed with Novak again?")
    await told(asleep, user, "The heating contract with Novak was renewed at last", invalid_at=asleep.clock.now())
    await asleep.amend.forget(user, forgotten.id)

    report = await slept(asleep, user)

    assert report.counts == {}


@pytest.mark.parametrize(
    "fields",
    [[{"bucket": "home"}, {"bucket": "work"}], [{"speaker": "Ana"}, {"speaker": "Luis"}], [{"people": ("Ana",)}, {}]],
    ids=["buckets", "speakers", "people"],
)
async def test_what_differs_in_bucket_or_subject_is_not_distilled_together(
    asleep: Services, user: UserId, fields: list[dict[str, Any]]
):
    texts = (HEATING, tuple(f"{text} by post" for text in HEATING))
    for each, told_texts in zip(fields, texts, strict=True):
        await told(asleep, user, *told_texts[:2], **each)

    assert (await slept(asleep, user)).counts == {}

    for each, told_texts in zip(fields, texts, strict=True):
        await told(asleep, user, told_texts[2], **each)
    assert (await slept(asleep, user)).counts[Count.DISTILLED] == 2


async def test_a_statement_that_says_the_same_gets_the_links_instead_of_a_twin(asleep: Services, user: UserId):
    [stated] = await told(asleep, user, HEATING[0], kind=Kind.SEMANTIC)
    sources = await told(asleep, user, *HEATING)
    dry = await asleep.inspect.sources(user, [stated.id])

    await slept(asleep, user)

    made = [each for each in await statements(asleep, user) if each.id != stated.id]
    linked = await asleep.inspect.sources(user, [stated.id])
    assert dry == {stated.id: []}
    if made:  # another member lies nearest the centroid and says it otherwise
        assert made[0].text != stated.text
    else:
        assert linked == {stated.id: await now(asleep, sources)}
    assert len({each.text for each in (stated, *made)}) == len(made) + 1


async def test_an_erased_summary_is_not_learnt_again(asleep: Services, user: UserId, clock: FixedClock):
    sources = await told(asleep, user, *HEATING)
    await slept(asleep, user)
    [made] = await statements(asleep, user)
    await asleep.amend.erase(user, made.id)
    clock.advance(30 * DAY)

    await slept(asleep, user)

    assert await statements(asleep, user) == []
    assert len(await now(asleep, sources)) == 3


async def test_twenty_sources_at_most(asleep: Services, user: UserId):
    await told(asleep, user, *(f"{HEATING[0]} {number}" for number in range(50)))

    report = await slept(asleep, user)

    found = await asleep.inspect.sources(user, [each.id for each in await statements(asleep, user)])
    assert report.counts[Count.FADED] == sum(len(each) for each in found.values()) > 20
    assert max(len(each) for each in found.values()) <= 20


# Case 25


TOPICS = {
    "bus": "came late",
    "dentist": "pulled teeth",
    "chess": "went well",
    "tiles": "fell down",
    "rent": "rose high",
    "cat": "caught mice",
}
WHEN = ("today", "again", "yesterday", "twice")


@pytest.mark.parametrize("of_each", [2, 3, 4])
async def test_case_25_no_summary_mixes_topics_or_grows(
    asleep: Services, user: UserId, clock: FixedClock, graph: Graph, of_each: int
):
    texts = [
        f"In Porto the {topic} {happened} {when} in Porto"
        for when in WHEN[:of_each]
        for topic, happened in TOPICS.items()
    ]
    remembered = await told(asleep, user, *texts)

    dumps, texts_of_each = [], []
    for _ in range(5):
        await slept(asleep, user)
        texts_of_each.append({(each.id, each.text) for each in await statements(asleep, user)})
        dumps.append(await graph.dump(user))
        clock.advance(6 * HOUR)

    made = await statements(asleep, user)
    found = await asleep.inspect.sources(user, [each.id for each in made])
    for summary in made:
        named = [{topic for topic in TOPICS if topic in each.text} for each in (summary, *found[summary.id])]
        assert len(set.union(*named)) == 1, [each.text for each in found[summary.id]]
        assert len(summary.text) <= 500
    assert len(made) == (6 if of_each > 2 else 0)
    assert len(await now(asleep, remembered)) == len(texts)
    assert dumps[3:] == dumps[2:3] * 2  # once each schema was found twice, nothing changes any more
    assert texts_of_each == texts_of_each[:1] * 5
    assert await statements(asleep, user, Kind.SCHEMA) == []  # six topics are no pattern


# Case 26


class SlowEmbedder(HashingEmbedder):
    """Takes its time over each passage."""

    async def embed_passages(self, texts: Sequence[str]) -> Any:
        await asyncio.sleep(0.2)
        return await super().embed_passages(texts)


async def test_case_26_while_memories_are_distilled_the_old_or_the_new_is_found(
    migrated_settings: Settings, clock: FixedClock, user: UserId
):
    async with open_services(migrated_settings, embedder=SlowEmbedder(), clock=clock) as services:
        await told(services, user, *HEATING, "The boat was painted", "A heron stood on the roof", "Rent is due")
        asked = Asked(query="heating contract", k=5, reinforce=False)
        best_before = 1 + next(
            place for place, hit in enumerate((await services.recall(user, asked)).hits) if hit.memory.text in HEATING
        )
        sleeping = asyncio.create_task(slept(services, user))
        answers = []
        while not sleeping.done():
            answers.append(await services.recall(user, asked))
        after = await services.recall(user, asked)

    assert (await sleeping).counts[Count.DISTILLED] == 1
    assert len(answers) > 3
    assert all(any(hit.memory.text in HEATING for hit in answer.hits) for answer in answers)
    ranks = [place for place, hit in enumerate(after.hits, start=1) if hit.memory.kind is Kind.SEMANTIC]
    assert min(ranks) <= best_before


# The model


def scripted(migrated_settings: Settings, clock: FixedClock, **script: Any) -> Any:
    model = ScriptedLanguageModel({Question(name): reply for name, reply in script.items()}, name="stub")
    return open_services(migrated_settings, embedder=HashingEmbedder(), clock=clock, language_model=model)


async def test_a_model_words_the_statement(migrated_settings: Settings, clock: FixedClock, user: UserId, graph: Graph):
    said = Distillate(text="The heating contract with Novak is renewed each year", category=Category.PROFESSIONAL)
    async with scripted(migrated_settings, clock, distil=said) as services:
        await told(services, user, *HEATING)
        await slept(services, user)

        [made] = await statements(services, user)

    assert (made.text, made.category) == (said.text, said.category)
    assert await graph.value(
        "MATCH (:Semantic {id: $id})-[r:DISTILLED_FROM]->() RETURN collect(DISTINCT r.source)", id=made.id
    ) == ["model"]


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        (InferenceError("too many requests"), "too many requests"),
        (Distillate(text="Boris renewed the heating contract", category=Category.FACT), "the rules distilled"),
        (Distillate(text="The heating contract was renewed for 900 euros", category=Category.FACT), "not drawn from"),
        (Distillate(text=" ", category=Category.FACT), "not drawn from"),
    ],
    ids=["fails", "invents a person", "invents a number", "says nothing"],
)
async def test_where_a_model_fails_or_invents_the_rules_word_it_and_a_note_says_so(
    migrated_settings: Settings, clock: FixedClock, user: UserId, reply: Any, note: str
):
    async with scripted(migrated_settings, clock, distil=reply) as services:
        await told(services, user, *HEATING)

        report = await slept(services, user)

        [made] = await statements(services, user)
    assert made.text in HEATING
    assert note in report.notes[0]


# Erasing


async def test_a_summary_of_an_erased_source_is_rewritten_from_the_rest(asleep: Services, user: UserId, graph: Graph):
    sources = await told(asleep, user, *(f"{HEATING[0]} by xylophone{number}" for number in range(4)))
    await slept(asleep, user)
    [made] = await statements(asleep, user)
    lender = next(each for each in sources if each.text == made.text)

    erased = await asleep.amend.erase(user, lender.id)

    [left] = await statements(asleep, user)
    assert left.id == made.id
    assert left.text in {each.text for each in sources} - {made.text}
    assert lender.id not in {each.id for each in (await asleep.inspect.sources(user, [left.id]))[left.id]}
    assert erased.derived_touched >= 1
    assert made.text.split()[-1] not in repr(await graph.dump(user))


async def test_a_summary_goes_with_its_last_source_and_a_schema_with_its_last_statement(
    asleep: Services, user: UserId, graph: Graph
):
    topics = [f"lamp{number}" for number in range(3)]
    texts = [f"The {topic} in the hall flickers at night {how}" for topic in topics for how in ("a", "b", "c")]
    sources = await told(asleep, user, *texts)
    await graph.run("MATCH (m:Memory {user_id: $user}) SET m.source = m.source", user=user)
    await slept(asleep, user)
    kinds = Counter(await _kinds(graph, user))

    for each in sources:
        await asleep.amend.erase(user, each.id)

    assert kinds["Semantic"] >= 1
    assert await _kinds(graph, user) == []
    assert "lamp" not in repr(await graph.dump(user))


async def _kinds(graph: Graph, user: UserId) -> list[str]:
    rows = await graph.run(
        "MATCH (m:Memory {user_id: $user}) RETURN [l IN labels(m) WHERE l <> 'Memory'][0] AS kind", user=user
    )
    return [row["kind"] for row in rows]


async def test_what_the_user_stated_stays_when_its_last_source_is_erased(asleep: Services, user: UserId, graph: Graph):
    [stated] = await told(asleep, user, HEATING[0], kind=Kind.SEMANTIC)
    [source] = await told(asleep, user, HEATING[1])
    await graph.run(
        "MATCH (s {id: $stated}), (m {id: $source}) CREATE (s)-[:DISTILLED_FROM {user_id: $user}]->(m)",
        stated=stated.id,
        source=source.id,
        user=user,
    )

    await asleep.amend.erase(user, source.id)

    assert (await asleep.inspect.memory(user, stated.id)).text == HEATING[0]


# Schemas


KITCHEN = (
    "The kitchen has a rope for the herbs",
    "The kitchen has a lamp for the herbs",
    "The kitchen has a shelf for the herbs",
)
BOAT = ("A boat keeps its rope in a locker", "A boat keeps its anchor in a locker", "A boat keeps its sail in a locker")


async def facts(services: Services, user: UserId, *texts: str, **fields: Any) -> list[Memory]:
    return await told(services, user, *texts, kind=Kind.SEMANTIC, curate=False, **fields)


async def test_a_schema_is_a_hypothesis_then_active_and_is_retired_in_the_end(
    asleep: Services, user: UserId, clock: FixedClock, graph: Graph
):
    members = await facts(asleep, user, *KITCHEN)

    async def standing() -> tuple[Any, ...]:
        [row] = await graph.run(
            "MATCH (s:Schema {user_id: $user}) RETURN s.schema_status AS status, s.confidence AS confidence, "
            "s.invalid_at < datetime('9000-01-01T00:00Z') AS ended, COUNT { (s)-[:ABSTRACTS]->() } AS members",
            user=user,
        )
        return row["status"], round(row["confidence"], 4), row["ended"], row["members"]

    seen = []
    for step in (0 * HOUR, 1 * HOUR, 5 * HOUR, 6 * HOUR):
        clock.advance(step)
        await slept(asleep, user)
        seen.append(await standing())
    await facts(asleep, user, "The kitchen has a stove for the herbs")
    await slept(asleep, user)
    seen.append(await standing())
    for each in members:
        await asleep.amend.forget(user, each.id)
    for step in (0 * DAY, 29 * DAY):
        clock.advance(step)
        await slept(asleep, user)
        seen.append(await standing())
    clock.advance(DAY)
    retired = await slept(asleep, user)
    seen.append(await standing())

    assert seen == [
        ("hypothesis", 0.4, False, 3),
        ("hypothesis", 0.4, False, 3),
        ("active", 0.64, False, 3),
        ("active", 0.64, False, 3),
        ("active", 0.784, False, 4),
        ("active", 0.784, False, 4),
        ("active", 0.784, False, 4),
        ("retired", 0.784, True, 4),
    ]
    assert "retired" in retired.notes[0]
    clock.advance(HOUR)
    answer = await asleep.recall(user, Asked(query="the kitchen has for the herbs", k=10))
    assert {hit.memory.kind for hit in answer.hits} == {Kind.SEMANTIC}


async def test_whom_a_statement_is_about_is_known_before_its_own_names_are_found(
    asleep: Services, user: UserId, graph: Graph
):
    """Else a schema of one night would be another one the night after."""
    await told(asleep, user, *HEATING, people=("Novak",))
    await slept(asleep, user)
    facts, seen = cypher.load("schemas/find_facts"), []

    for _ in range(2):
        params = {"user_id": user, "at": asleep.clock.now() + MINUTE, "embedder": asleep.embedder.name, "limit": 9}
        [row] = await graph.ask(facts, **params)
        seen.append(row["persons"])
        while await asleep.enrich():
            pass

    assert seen == [["novak"], ["novak"]]


async def test_a_schema_lives_in_the_bucket_of_its_members_or_in_the_general_one(
    asleep: Services, user: UserId, other_user: UserId
):
    await facts(asleep, user, *KITCHEN, bucket="home")
    for text, bucket in zip(KITCHEN, ("home", "work", "work"), strict=True):
        await facts(asleep, other_user, text, bucket=bucket)

    await slept(asleep, user)
    await slept(asleep, other_user)

    [one], [other] = [await statements(asleep, each, Kind.SCHEMA) for each in (user, other_user)]
    assert (one.bucket, one.general, other.bucket, other.general) == ("home", False, "general", True)
    assert one.strength.base_strength == 1.5


async def test_a_model_words_the_schema(migrated_settings: Settings, clock: FixedClock, user: UserId):
    said = InducedSchema(text="The kitchen is arranged around the herbs", domain="home")
    async with scripted(migrated_settings, clock, schema=said) as services:
        await facts(services, user, *KITCHEN)
        await slept(services, user)
        [made] = await statements(services, user, Kind.SCHEMA)

    assert made.text == said.text


async def test_case_16_recall_within_a_schema_finds_its_members_alone(asleep: Services, user: UserId):
    await facts(asleep, user, *KITCHEN, *BOAT)
    await slept(asleep, user)
    boat = next(each for each in await statements(asleep, user, Kind.SCHEMA) if "boat" in each.text)

    async def found(schema_id: str) -> list[str]:
        asked = Asked(query="rope", schema_id=schema_id, k=10, reinforce=False)
        return [hit.memory.text for hit in (await asleep.recall(user, asked)).hits]

    assert (await found(boat.id))[0] == BOAT[0]
    assert set(await found(boat.id)) <= set(BOAT)
    assert await found("no schema") == []


# Many at once, and death


async def test_two_workers_at_once_do_each_of_a_hundred_clusters_once(
    migrated_settings: Settings, clock: FixedClock, user: UserId, graph: Graph
):
    at = clock.now()
    texts = [
        f"{topic} pots {topic} kiln {topic} clay {how}"
        for topic in (f"word{number}" for number in range(100))
        for how in ("one", "two", "three")
    ]
    async with sleeper(migrated_settings, at) as first, sleeper(migrated_settings, at) as second:
        await first.remember.many(user, [MemoryDraft(text=text) for text in texts])

        reports = await asyncio.gather(
            *(each.distil(user, at=at, dry_run=False, pulse=_pulse) for each in (first, second))
        )

    made = await graph.value("MATCH (s:Semantic {user_id: $user}) RETURN count(s)", user=user)
    fed = await graph.run(
        "MATCH (m:Episodic {user_id: $user}) RETURN m.id AS id, "
        "COUNT { (m)<-[:DISTILLED_FROM]-() } AS summaries, "
        "COUNT { (m)-[:CHANGED]->(c:Change) WHERE c.action = 'fade' } AS fades, m.distil_key AS planned",
        user=user,
    )
    assert made == 100
    assert sum(each.counts.get(Count.DISTILLED, 0) for each in reports) == 100
    assert sum(each.counts.get(Count.FADED, 0) for each in reports) == 300
    assert {(row["summaries"], row["fades"], row["planned"]) for row in fed} == {(1, 1, None)}


async def _pulse(so_far: StepReport, *, done: int, total: int) -> None:
    await asyncio.sleep(0)


LIFE = (
    *HEATING,
    *CHESS,
    *(f"The cat {verb} on the blue sofa again" for verb in ("slept", "ate", "purred", "lay")),
    *(f"Rent for the flat rose by {number} euros" for number in (10, 20, 30)),
    "A heron stood on the roof",
    "Why did the boiler stop?",
)
TEA = ("Ana drinks green tea.", "Ana drinks strong green tea.")
TRAINS, NO_LONGER = (
    "Ines trains the junior choir of the old town.",
    "Ines no longer trains the junior choir of the old town.",
)
FERNS = "Dora waters the ferns."
KILLS, SEED = 20, 4


async def a_life(services: Services, user: UserId) -> None:
    """Clusters of episodes in two buckets, noise, facts that make two schemas, twins, a denial, a habit."""
    await services.remember.many(user, [MemoryDraft(text=text) for text in LIFE])
    await services.remember.many(user, [MemoryDraft(text=text, bucket="work") for text in HEATING])
    drafts = [MemoryDraft(text=text, kind=Kind.SEMANTIC, curate=False) for text in (*KITCHEN, *BOAT, *TEA)]
    drafts += [
        MemoryDraft(text=text, kind=Kind.SEMANTIC, curate=False, valid_at=services.clock.now() - before)
        for text, before in ((TRAINS, 2 * DAY), (NO_LONGER, DAY))
    ]
    await services.remember.many(user, drafts)
    for _ in range(4):
        seen = MemoryDraft(text=FERNS, kind=Kind.SEMANTIC, horizon=Horizon.MEDIUM, source=Source.EXTRACTED)
        await services.remember(user, seen)


async def test_a_worker_killed_at_any_point_leaves_what_the_next_one_ends_as_if_nothing_had_happened(
    migrated_settings: Settings, clock: FixedClock, user: UserId, graph: Graph
):
    at = clock.now() + DAY
    users = [UserId(f"killed-{number}-{uuid4().hex[:8]}") for number in range(KILLS)]
    async with sleeper(migrated_settings, clock.now()) as services:
        for each in (user, *users):
            await a_life(services, each)
    statements_sent = await _run_to_its_end(migrated_settings, user, at)
    undisturbed = await content(graph, user)
    points = random.Random(SEED).sample(range(1, statements_sent + 1), KILLS)

    room = asyncio.Semaphore(2)

    async def killed(each: UserId, point: int) -> None:
        async with room:
            assert await _run_until(migrated_settings, each, at, point) < 0

    await asyncio.gather(*(killed(each, point) for each, point in zip(users, points, strict=True)))
    async with sleeper(migrated_settings, at) as services:
        for each, point in zip(users, points, strict=True):
            await cycle(services, each, at=at)
            assert await content(graph, each) == undisturbed, point
            assert (await cycle(services, each, at=at)).counts == {}

    told_of = {"add", "promote", "merge", "fade", "negate", "contradict"}
    assert statements_sent > 2 * KILLS
    assert all(any(f"'{action}'" in line for line in undisturbed) for action in told_of)
    assert any("Schema" in line for line in undisturbed)


async def _run_to_its_end(settings: Settings, user: UserId, at: Any) -> int:
    process = await _sleeper(settings, user, at, 0)
    told_, _ = await process.communicate()
    assert process.returncode == 0
    return int(told_)


async def _run_until(settings: Settings, user: UserId, at: Any, point: int) -> int:
    process = await _sleeper(settings, user, at, point)
    await process.communicate()
    assert process.returncode is not None
    return process.returncode


async def _sleeper(settings: Settings, user: UserId, at: Any, point: int) -> asyncio.subprocess.Process:
    neo4j = settings.neo4j
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NEO4J_PASSWORD": neo4j.password or ""}
    arguments = ("-m", "tests.integration.sleepers", neo4j.uri or "", user, at.isoformat(), str(point))
    return await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE
    )


# What tells one user's graph from another's with the same content; and for what a memory was compared already, as a
# statement that a killed run made is merged one run later than one that was made in the same run.
_OF_IDENTITY = {
    *("id", "user_id", "content_hash", "current_key", "text_hash", "search_scope", "cluster_key", "distil_key"),
    *("target_id", "embedding", "context_embedding", "named_ids", "text_hashes", "compared"),
}
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


async def content(graph: Graph, user: UserId) -> list[str]:
    """All that a user has, with texts in place of ids."""
    texts = {
        row["id"]: f"{row['kind']}:{row['bucket']}:{row['text']}"
        for row in await graph.run(
            "MATCH (m:Memory {user_id: $user}) RETURN m.id AS id, m.kind AS kind, m.bucket AS bucket, m.text AS text",
            user=user,
        )
    }

    def named(properties: dict[str, Any]) -> str:
        kept = sorted((name, told(name, value)) for name, value in properties.items() if name not in _OF_IDENTITY)
        return _ID.sub(lambda match: texts.get(match.group(), "?"), repr(kept))

    def told(name: str, value: Any) -> Any:
        """A pair, which is written in the order of its ids, in that of its texts."""
        return sorted(texts.get(each, each) for each in value.split()) if name == "pair_key" else value

    nodes = await graph.run(
        "MATCH (n {user_id: $user}) RETURN labels(n) AS labels, properties(n) AS properties, n.target_id AS target",
        user=user,
    )
    links = await graph.run(
        "MATCH (a {user_id: $user})-[r]->(b {user_id: $user}) RETURN type(r) AS type, properties(r) AS properties, "
        "coalesce(a.id, '') AS source, coalesce(b.id, '') AS target",
        user=user,
    )
    return sorted(
        [f"{sorted(row['labels'])} {texts.get(row['target'], '')} {named(row['properties'])}" for row in nodes]
        + [
            f"{row['type']} {texts.get(row['source'], '?')} {texts.get(row['target'], '?')} {named(row['properties'])}"
            for row in links
        ]
    )
