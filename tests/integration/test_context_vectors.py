"""The vector of a turn among its neighbours is made where recall asks for it, and only there."""

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import Channel, UserId
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.testing import HashingEmbedder
from tests.integration.channels import with_channels
from tests.integration.graph import Graph

ASKED, ANSWERED = "Where did you find the brass lamp?", "At the market by the pier."


class CountingEmbedder(HashingEmbedder):
    """Counts the texts that it embeds as they are stored."""

    passages = 0

    async def embed_passages(self, texts):  # type: ignore[no-untyped-def]
        self.passages += len(texts)
        return await super().embed_passages(texts)


async def _told(services: Services, user: UserId) -> None:
    drafts = [MemoryDraft(text=text, session_id="s", occurred_at=None) for text in (ASKED, ANSWERED)]
    assert len((await services.remember.many(user, drafts)).results) == 2
    while await services.enrich():
        pass


@pytest.mark.parametrize(("weight", "embedded", "stored"), [(0.0, 2, 0), (1.0, 4, 2)])
async def test_turns_around_are_embedded_where_their_channel_counts(
    migrated_settings: Settings, user: UserId, graph: Graph, weight: float, embedded: int, stored: int
):
    embedder = CountingEmbedder()
    async with open_services(with_channels(migrated_settings, context_vector=weight), embedder=embedder) as services:
        await _told(services, user)

        [row] = await graph.run("MATCH (m:Memory {user_id: $u}) RETURN count(m.context_embedding) AS vectors", u=user)
        links = await graph.run("MATCH (a:Memory {user_id: $u})-[:NEXT]->(b) RETURN b.text AS text", u=user)

    assert (embedder.passages, row["vectors"]) == (embedded, stored)
    assert [link["text"] for link in links] == [ANSWERED]


async def test_an_answer_is_found_by_the_meaning_of_what_was_asked_before_it(migrated_settings: Settings, user: UserId):
    contexts = with_channels(migrated_settings, context_vector=1.0, lexical=0.0, context=0.0)
    async with open_services(contexts, embedder=HashingEmbedder()) as services:
        await _told(services, user)

        answer = await services.recall(user, Question(query="brass lamp", k=2))

    ranks = {hit.memory.text: hit.ranks.get(Channel.CONTEXT_VECTOR) for hit in answer.hits}
    assert ranks.keys() == {ASKED, ANSWERED}
    assert sorted(rank or 0 for rank in ranks.values()) == [1, 2]
