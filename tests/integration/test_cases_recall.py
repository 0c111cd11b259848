"""Cases of the whole recall: typed words in every mode and script (1 to 4), popular memories (37), distance (38)."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import timedelta
from math import sqrt
from typing import Any

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import Link, LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Kind, RecallMode, UserId
from graph_memory.errors import InvalidValueError
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.integration.graph import Graph

RANKED = tuple(mode for mode in RecallMode if mode is not RecallMode.CREATIVE)
BEYOND_EVERY_COSINE = 1.5
MOVED = "Rehearsal moved to 18:40"
FOLDER = "Tickets are in folder-3"
SYNTAX = (
    "/rehearsal when?",
    "rehearsal(",
    '"rehearsal',
    "rehearsal AND (18:40",
    "text:rehearsal",
    "rehearsal^9 [a TO b}",
)
OPERATORS = ("folder-3", "folder-", "-folder", "folder AND", "NOT folder", "folder~", "(folder OR boat) NOT boat -xyz")
SCRIPTS = (
    ("周末去河边钓鱼", "钓鱼"),
    ("어제 동생과 만두를 빚었다", "만두"),
    ("明日図書館で会う", "図書館"),
    ("订单RV208已发货", "RV208"),
    ("ไปตกปลาที่แม่น้ำ", "ตกปลา"),
    ("Завтра встреча в библиотеке", "встреча"),
    ("الاجتماع غدًا في المكتبة", "الاجتماع"),
    ("Η συνάντηση είναι αύριο", "συνάντηση"),
    ("פגישה מחר בספרייה", "בספרייה"),
)

Opened = Callable[..., AbstractAsyncContextManager[Services]]


@pytest.fixture
def opened(migrated_settings: Settings, clock: FixedClock) -> Opened:
    """Opens the product with other numbers for recall and links."""

    def open_with(*, links: Mapping[str, Any] | None = None, **recall: Any) -> AbstractAsyncContextManager[Services]:
        settings = replace(
            migrated_settings,
            recall=replace(migrated_settings.recall, **recall),
            links=replace(migrated_settings.links, **(links or {})),
        )
        return open_services(settings, embedder=HashingEmbedder(), clock=clock)

    return open_with


@pytest.fixture(params=["learned", "rrf"])
async def by_words(opened: Opened, request: pytest.FixtureRequest) -> AsyncIterator[Services]:
    """The product with its vector search switched off, in either ranking."""
    async with opened(semantic_floor=BEYOND_EVERY_COSINE, ranking=request.param) as services:
        yield services


async def _told(services: Services, user: UserId, *texts: str, **facts: Any) -> list[Memory]:
    drafts = [MemoryDraft(text=text, **{"kind": Kind.SEMANTIC, "curate": False, **facts}) for text in texts]
    return [each.memory for each in (await services.remember.many(user, drafts)).results if each.memory]


async def _texts(services: Services, user: UserId, query: str, **asked: Any) -> list[str]:
    answer = await services.recall(user, Question(query=query, reinforce=False, **asked))
    return [hit.memory.text for hit in answer.hits]


@pytest.mark.parametrize("mode", RANKED)
async def test_typed_words_are_only_words_in_every_mode(by_words: Services, user: UserId, mode: RecallMode):
    """Cases 1 and 2."""
    await _told(by_words, user, MOVED, FOLDER, "The boat is blue")

    assert {query: await _texts(by_words, user, query, mode=mode) for query in SYNTAX} == {
        query: [MOVED] for query in SYNTAX
    }
    found = {query: (await _texts(by_words, user, query, mode=mode))[:1] for query in OPERATORS[:-1]}
    assert found == {query: [FOLDER] for query in OPERATORS[:-1]}
    assert set(await _texts(by_words, user, OPERATORS[-1], mode=mode)) == {FOLDER, "The boat is blue"}


@pytest.mark.parametrize("query", ["title:", "\\", "?!", "&& || !", "*", "* OR *:*", "{}", "..."])
async def test_signs_alone_find_nothing_in_any_mode_and_never_the_whole_store(
    by_words: Services, user: UserId, query: str
):
    """Cases 1 and 3."""
    await _told(by_words, user, *(f"Note {number} on sailing" for number in range(30)))

    found = {mode: await _texts(by_words, user, query, mode=mode) for mode in RANKED}

    assert found == {mode: [] for mode in RANKED}


@pytest.mark.parametrize("mode", list(RecallMode))
@pytest.mark.parametrize("blank", ["", "   ", "\u200b"])
async def test_a_blank_question_is_refused_in_every_mode(opened: Opened, user: UserId, mode: RecallMode, blank: str):
    """Case 3."""
    async with opened() as services:
        with pytest.raises(InvalidValueError, match="query: must not be empty or blank"):
            await services.recall(user, Question(query=blank, mode=mode))


async def test_a_creative_draw_takes_any_typed_words(opened: Opened, user: UserId, clock: FixedClock):
    """Cases 1 to 3: nothing is looked for, so nothing can be misread."""
    async with opened() as services:
        told = await _told(services, user, *(f"Note {number} on sailing" for number in range(30)))
        clock.advance(timedelta(days=40))

        drawn = {query: await _texts(services, user, query, mode=RecallMode.CREATIVE) for query in (*SYNTAX, "?!")}

    assert {len(texts) for texts in drawn.values()} == {5}
    assert {text for texts in drawn.values() for text in texts} <= {memory.text for memory in told}


@pytest.mark.parametrize("mode", RANKED)
async def test_a_keyword_of_every_script_is_found_in_every_mode(by_words: Services, user: UserId, mode: RecallMode):
    """Case 4."""
    await _told(by_words, user, *(text for text, _ in SCRIPTS), "The boat is blue")

    found = {query: await _texts(by_words, user, query, mode=mode) for _, query in SCRIPTS}

    assert found == {query: [text] for text, query in SCRIPTS}


@pytest.mark.parametrize("mode", RANKED)
async def test_a_keyword_of_every_script_is_found_within_a_bucket_and_in_the_overlay(
    by_words: Services, user: UserId, mode: RecallMode
):
    """Case 4, by the queries that name a bucket."""
    await _told(by_words, user, *(text for text, _ in SCRIPTS), bucket="work")
    await _told(by_words, user, *(f"{text} !" for text, _ in SCRIPTS), general=True)

    for text, query in SCRIPTS:
        answer = await by_words.recall(user, Question(query=query, mode=mode, buckets=("work",), reinforce=False))
        assert [hit.memory.text for hit in answer.hits] == [text]
        assert [hit.memory.text for hit in answer.overlay] == [f"{text} !"]


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("कल पुस्तकालय में बैठक है", "पुस्तकालय"),
        ("আগামীকাল গ্রন্থাগার বন্ধ", "গ্রন্থাগার"),
        ("நாளை நூலகம் திறக்கும்", "நூலகம்"),
    ],
)
async def test_a_keyword_whose_vowels_are_marks_is_found(by_words: Services, user: UserId, stored: str, query: str):
    """Case 4: scripts with blanks, but in whose words some letters are written as marks on others."""
    await _told(by_words, user, stored, "The boat is blue")

    assert await _texts(by_words, user, query) == [stored]


@pytest.mark.parametrize("ranking", ["learned", "rrf"])
async def test_a_channel_without_weight_brings_nothing(opened: Opened, user: UserId, ranking: str):
    """Case 4: so is the vector search switched off (constants.md 2.5, `recall.channel_weights`)."""
    async with opened(ranking=ranking) as services:
        weights = {**services.settings.recall.channel_weights, "semantic": 0.0, "context_vector": 0.0}
    async with opened(ranking=ranking, channel_weights=weights) as services:
        [anchor, *_] = await _told(services, user, "anchor", *(f"boat number {number}" for number in range(12)))

        assert await _texts(services, user, "anchor") == [anchor.text]


ASKED = 60  # a minute apart: as many uses as the rule of one a minute lets count
CARD = "The library card is in the green drawer"
_STORED_LINKS = "MATCH (:Memory {user_id: $user_id})-[r]->(:Memory) RETURN type(r) AS type, r.weight AS weight"


@pytest.mark.parametrize("ranking", ["learned", "rrf"])
async def test_what_is_much_used_does_not_outrank_what_matches(
    opened: Opened, graph: Graph, user: UserId, clock: FixedClock, ranking: str
):
    """Case 37: even where the signal of use counts and the popular memory links to the right one."""
    channels = {"semantic": 1.0, "lexical": 1.0, "context": 1.0, "context_vector": 1.0, "signal": 0.5, "graph": 0.3}
    async with opened(ranking=ranking, channel_weights=channels) as services:
        lunches = await _told(services, user, *(f"We had lunch at the {place}" for place in ("pier", "mill", "inn")))
        [card] = await _told(services, user, CARD)
        others = await _told(services, user, "The oak desk came from Porto", "Dora painted the oak door")
        await services.links.link(user, LinkType.REFERS_TO, lunches[0].id, card.id, weight=0.9)
        await services.links.link(user, LinkType.LEADS_TO, lunches[0].id, lunches[1].id, weight=0.9)
        clock.advance(timedelta(days=1))
        unrelated = await _texts(services, user, "oak")

        for _ in range(ASKED):
            clock.advance(timedelta(seconds=61))
            await services.recall(user, Question(query="lunch", k=3))
        await services.aftermath.settled()

        used = await services.inspect.memories(user, [memory.id for memory in lunches])
        links = await graph.run(_STORED_LINKS, user_id=user)
        assert {memory.access_count for memory in used.values()} == {ASKED}
        assert sorted(link["type"] for link in links) == ["LEADS_TO", "REFERS_TO"]  # asking adds none
        assert all(0.9 <= link["weight"] <= 1.0 for link in links)
        assert (await _texts(services, user, "library card"))[0] == CARD
        assert await _texts(services, user, "oak") == unrelated
        assert set(unrelated[:2]) == {memory.text for memory in others}


async def test_asking_without_reinforcing_changes_no_order(opened: Opened, user: UserId, clock: FixedClock):
    """Case 37: reading alone reorders nothing, of what was asked for either."""
    async with opened() as services:
        await _told(services, user, *(f"We had lunch at the {place}" for place in ("pier", "mill", "inn")), CARD)
        before = [await _texts(services, user, query) for query in ("lunch", "library card")]

        for _ in range(20):
            clock.advance(timedelta(seconds=61))
            await _texts(services, user, "lunch", k=2)
        await services.aftermath.settled()

        assert [await _texts(services, user, query) for query in ("lunch", "library card")] == before


HALVING = {"hop_factor": 0.5, "fan_power": 0.0, "spread_floor": 0.01}
LETTERS = {"a": "anchor", "b": "boat", "c": "compass", "d": "deck", "e": "engine", "f": "flag"}


async def _activations(services: Services, user: UserId, ends: Sequence[str], weight: float = 1.0) -> dict[str, float]:
    """What links bring to each memory when only "a" is found by its words.

    Args:
        ends: links of type REFERS_TO, "a-b" from a to b.
    """
    told = dict(zip(LETTERS, await _told(services, user, *LETTERS.values()), strict=True))
    for source, target in (each.split("-") for each in ends):
        await services.links.link(user, LinkType.REFERS_TO, told[source].id, told[target].id, weight=weight)

    answer = await services.recall(user, Question(query="anchor", k=10))

    found = {hit.memory.id: hit.path[-1].activation if hit.path else 0.0 for hit in answer.hits}
    return {letter: found[memory.id] for letter, memory in told.items() if memory.id in found}


@pytest.mark.parametrize("ranking", ["learned", "rrf"])
@pytest.mark.parametrize(
    ("ends", "found"),
    [
        (["a-b", "b-c", "c-d"], {"a": 0.0, "b": 0.5, "c": 0.25}),  # two hops are the most that a recall goes
        (["b-a", "c-b", "d-c"], {"a": 0.0, "b": 0.5, "c": 0.25}),  # links are walked from both ends
        (["a-b", "b-d", "a-c", "c-d"], {"a": 0.0, "b": 0.5, "c": 0.5, "d": 0.25}),  # the best path, not the sum
        (["a-b", "b-a"], {"a": 0.0, "b": 0.5}),  # the ring ends
        (["a-b", "b-c", "c-a"], {"a": 0.0, "b": 0.5, "c": 0.5}),
    ],
    ids=["chain", "chain backwards", "diamond", "ring of two", "ring of three"],
)
async def test_the_distance_factor_applies_once_a_hop(
    opened: Opened, user: UserId, ranking: str, ends: list[str], found: dict[str, float]
):
    """Case 38."""
    async with opened(semantic_floor=BEYOND_EVERY_COSINE, ranking=ranking, **HALVING) as services:
        assert await _activations(services, user, ends) == pytest.approx(found)


async def test_a_parent_shares_what_it_has_among_its_links(opened: Opened, user: UserId):
    """Case 38, with the numbers that the product has by default."""
    async with opened(semantic_floor=BEYOND_EVERY_COSINE) as services:
        got = await _activations(services, user, ["a-b", "a-c", "b-d", "b-e"], weight=0.9)

    near, far = 0.72 / sqrt(2), 0.72 / sqrt(2) * 0.72 / sqrt(2)
    assert got == pytest.approx({"a": 0.0, "b": near, "c": near, "d": far, "e": far})


async def test_one_hop_is_the_most_where_the_settings_say_so(opened: Opened, user: UserId):
    """Case 38."""
    async with opened(semantic_floor=BEYOND_EVERY_COSINE, hops=1, **HALVING) as services:
        assert await _activations(services, user, ["a-b", "b-c"]) == pytest.approx({"a": 0.0, "b": 0.5})


async def test_a_hub_is_reached_and_not_expanded(opened: Opened, user: UserId):
    """operations.md, Recall: a hub of which every second question would find everything."""
    ends = ["a-b", "b-c", "b-d", "b-e"]
    for degree, found in ((4, {"a", "b", "c", "d", "e"}), (3, {"a", "b"})):
        owner = UserId(f"{user}-{degree}")
        async with opened(semantic_floor=BEYOND_EVERY_COSINE, links={"hub_degree": degree}, **HALVING) as services:
            assert set(await _activations(services, owner, ends)) == found


async def test_what_may_not_be_shown_stands_in_the_way_of_no_other_path(opened: Opened, user: UserId):
    """Case 38: of the paths that are left the best counts."""
    async with opened(semantic_floor=BEYOND_EVERY_COSINE, **HALVING) as services:
        anchor, boat, deck = await _told(services, user, "anchor", "boat", "deck")
        for source, target, weight in ((anchor, boat, 1.0), (boat, deck, 1.0), (anchor, deck, 0.3)):
            await services.links.link(user, LinkType.REFERS_TO, source.id, target.id, weight=weight)
        await services.amend.forget(user, boat.id)

        hits = (await services.recall(user, Question(query="anchor", k=10))).hits

        found = {hit.memory.text: hit.path[-1].activation for hit in hits if hit.path}
        assert found == pytest.approx({"deck": 0.15})


async def test_a_walked_link_gains_once_an_answer_and_stays_within_its_bounds(
    opened: Opened, user: UserId, clock: FixedClock
):
    """Cases 37 and 38: what is asked again and again strengthens the link that it walks, never beyond 1."""
    async with opened(semantic_floor=BEYOND_EVERY_COSINE) as services:
        first, second = await _told(services, user, "anchor", "boat")
        link = await services.links.link(user, LinkType.LEADS_TO, first.id, second.id, weight=0.7)

        for _ in range(10):
            clock.advance(timedelta(seconds=61))
            await services.recall(user, Question(query="anchor"))
        await services.aftermath.settled()

        after = await services.inspect.node(user, link.id)
        assert isinstance(after, Link)
        assert (after.weight, after.uses) == (pytest.approx(1.0 - 0.3 * 0.95**10), 10)
