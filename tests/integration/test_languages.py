"""Texts in other European languages than English are found by other forms of their words, by full text alone."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.episode import Episode, TurnDraft
from graph_memory.domain.index_terms import index_terms
from graph_memory.domain.vocabulary import Channel, Kind, MemoryId, UserId
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.integration.graph import Graph

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
BEYOND_EVERY_COSINE = 1.5
GARDENS, HORSES, KEYS, CARS = (
    "Meine Nachbarin hat zwei alte Gärten gekauft.",
    "Nous avons acheté des chevaux blancs.",
    "Mi hermana ha perdido las llaves del coche.",
    "Моя сестра купила две красные машины.",
)
TOLD = (GARDENS, HORSES, KEYS, CARS, "The oak desk stands in the hall.", "周末去河边钓鱼")
ASKED = [
    ("Wem gehört ein Garten?", GARDENS),
    ("Où est le cheval ?", HORSES),
    ("¿Dónde está la llave?", KEYS),
    ("Где моя машина?", CARS),
    ("Garten", GARDENS),
    ("cheval", HORSES),
    ("llave", KEYS),
    ("машина", CARS),
]


@pytest.fixture
async def by_words(migrated_settings: Settings, clock: FixedClock) -> AsyncIterator[Services]:
    """The product with its vector search switched off."""
    recall = replace(migrated_settings.recall, semantic_floor=BEYOND_EVERY_COSINE)
    settings = replace(migrated_settings, recall=recall)
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as services:
        yield services


async def _told(services: Services, user: UserId, *texts: str, session_id: str | None = None) -> list[MemoryId]:
    drafts = [MemoryDraft(text=text, kind=Kind.SEMANTIC, curate=False, session_id=session_id) for text in texts]
    return [each.memory.id for each in (await services.remember.many(user, drafts)).results if each.memory]


async def _texts(services: Services, user: UserId, query: str, min_match: float | None = None) -> list[str]:
    answer = await services.recall(user, Question(query=query, min_match=min_match, reinforce=False))
    return [hit.memory.text for hit in answer.hits]


@pytest.mark.parametrize(("query", "text"), ASKED)
async def test_a_memory_is_found_through_another_inflection(by_words: Services, user: UserId, query: str, text: str):
    await _told(by_words, user, *TOLD)

    answer = await by_words.recall(user, Question(query=query, reinforce=False))

    assert [hit.memory.text for hit in answer.hits] == [text]
    assert answer.hits[0].ranks == {Channel.LEXICAL: 1}


@pytest.mark.parametrize(("query", "text"), ASKED)
async def test_a_memory_of_another_user_is_not_found(by_words: Services, user: UserId, query: str, text: str):
    await _told(by_words, UserId(f"{user}-other"), text)

    assert await _texts(by_words, user, query) == []


async def test_a_match_by_words_counts_stems_and_pairs_of_characters(by_words: Services, user: UserId):
    await _told(by_words, user, *TOLD)

    assert await _texts(by_words, user, "Ist das ein Garten?", min_match=0.9) == [GARDENS]
    assert await _texts(by_words, user, "Ist das ein Garten im Nebel mit Zaun?", min_match=0.5) == []
    assert await _texts(by_words, user, "河边钓鱼", min_match=0.9) == ["周末去河边钓鱼"]


async def test_a_memory_is_found_by_the_stems_of_its_neighbours(by_words: Services, user: UserId):
    await _told(by_words, user, GARDENS, "Das ist nicht mein Zaun.", session_id="s-1")

    answer = await by_words.recall(user, Question(query="Wem gehört ein Garten?", reinforce=False))

    found = {hit.memory.text: hit.ranks for hit in answer.hits}
    assert found["Das ist nicht mein Zaun."].keys() == {Channel.CONTEXT}


async def test_a_changed_text_changes_the_terms(by_words: Services, user: UserId, graph: Graph):
    [memory_id, neighbour] = await _told(by_words, user, GARDENS, "The fence is new.", session_id="s-1")

    await by_words.revise.correct(user, memory_id, HORSES)

    assert await _texts(by_words, user, "Wem gehört ein Garten?") == []
    assert HORSES in await _texts(by_words, user, "Où est le cheval ?")
    stored = await graph.run(
        "MATCH (m:Memory {user_id: $user_id}) "
        "RETURN m.id AS id, m.script_terms AS own, m.context_script_terms AS around",
        user_id=user,
    )
    french = " ".join(index_terms(HORSES))
    assert {row["id"]: (row["own"], row["around"]) for row in stored} == {
        memory_id: (french, french),
        neighbour: (None, french),
    }


async def test_an_english_memory_has_no_terms_beside_its_text(by_words: Services, user: UserId, graph: Graph):
    await _told(by_words, user, "The oak desk stands in the hall.", "She has a hat from Los Angeles.", session_id="s-1")

    terms = "MATCH (m:Memory {user_id: $user_id}) RETURN count(m.script_terms) + count(m.context_script_terms)"
    assert await graph.value(terms, user_id=user) == 0


async def test_the_analyser_leaves_every_term_alone(by_words: Services, user: UserId, graph: Graph):
    await _told(by_words, user, *TOLD)
    find = (
        "CALL db.index.fulltext.queryNodes('memory_text_fulltext', $query) YIELD node AS m "
        "WHERE m.user_id = $user_id RETURN collect(m.text)"
    )

    for text in (GARDENS, HORSES, KEYS, CARS):
        for term in index_terms(text):
            assert await graph.value(find, query=f"script_terms:{term}", user_id=user) == [text]
            assert await graph.value(find, query=f"script_terms:{term.removesuffix('0')}", user_id=user) == []


@pytest.mark.parametrize(
    "query", ["Wem gehört ein Garten?", "Garten", "Où est le cheval ?", "¿Dónde está la llave?", "Где моя машина?"]
)
async def test_an_episode_is_found_by_its_digest_and_by_its_turns(timed: Services, user: UserId, query: str):
    text = dict(ASKED)[query]
    digest = await _talked(timed, user, text, NOON)
    turn = await _talked(timed, user, "The kayak leaks.", NOON + timedelta(hours=2), reply=text)
    await _talked(timed, user, "The fence is new.", NOON + timedelta(hours=4))

    found = await timed.find_episodes.search(user, query, first=10, after=None)

    assert {each.episode.id for each in found.items} == {digest.id, turn.id}
    assert (await timed.find_episodes.search(UserId(f"{user}-other"), query, first=10, after=None)).items == ()


async def _talked(services: Services, user: UserId, said: str, start: datetime, *, reply: str = "I see.") -> Episode:
    """An ended episode, whose digest is of what was said first."""
    episode = await services.episodes.start(user, at=start)
    turns = [
        TurnDraft(role="user", content=said, at=start + timedelta(minutes=1)),
        TurnDraft(role="assistant", content=reply, at=start + timedelta(minutes=2)),
    ]
    await services.episodes.add_turns(user, episode.id, turns)
    return await services.episodes.end(user, episode.id, at=start + timedelta(minutes=10))
