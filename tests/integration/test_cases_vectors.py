"""One bad vector neither gets in nor spoils a search (case 9)."""

from dataclasses import dataclass
from uuid import uuid4

import numpy as np
import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import Channel, UserId
from graph_memory.errors import InferenceError
from graph_memory.ports import Floats
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.testing import HashingEmbedder
from tests.integration.channels import with_channels
from tests.integration.graph import Graph


@dataclass
class SpoiltEmbedder(HashingEmbedder):
    """Gives what it was told to, in place of a vector."""

    row: Floats

    def __post_init__(self) -> None:
        super().__init__()

    def _row(self, text: str) -> Floats:
        return self.row


SPOILT = {
    "not a number": np.full(384, np.nan, np.float32),
    "infinite": np.full(384, np.inf, np.float32),
    "zero": np.zeros(384, np.float32),
    "too long": np.full(384, 1.0, np.float32),
    "too narrow": np.full(383, 1 / 383**0.5, np.float32),
    "too wide": np.full(768, 1 / 768**0.5, np.float32),
}


@pytest.mark.parametrize("row", SPOILT.values(), ids=SPOILT)
async def test_a_bad_vector_is_refused_on_write_and_nothing_is_stored(settings: Settings, user: UserId, row: Floats):
    async with open_services(settings, embedder=SpoiltEmbedder(row)) as services:
        with pytest.raises(InferenceError, match="hashing/1"):
            await services.remember(user, MemoryDraft(text="The desk is oak."))

        assert (await services.inspect.stats(user)).memories == 0


@pytest.mark.parametrize(
    "row", [SPOILT["not a number"], SPOILT["too wide"], SPOILT["zero"]], ids=["nan", "wide", "zero"]
)
async def test_a_bad_vector_of_a_question_is_told_as_the_models_fault(settings: Settings, user: UserId, row: Floats):
    async with open_services(settings, embedder=SpoiltEmbedder(row)) as services:
        with pytest.raises(InferenceError, match="hashing/1"):
            await services.recall(user, Question(query="desk"))


async def test_a_bad_vector_of_a_context_is_not_stored(
    settings: Settings, services: Services, user: UserId, graph: Graph
):
    for text in ("The desk is oak.", "The lamp is brass."):
        await services.remember(user, MemoryDraft(text=text, session_id="s"))

    contexts = with_channels(settings, context_vector=1.0)
    async with open_services(contexts, embedder=SpoiltEmbedder(SPOILT["not a number"])) as spoilt:
        while await spoilt.enrich():
            pass

    stored = await graph.run(
        "MATCH (m:Memory {user_id: $u}) RETURN m.context_embedding AS v, m.enrich_problem AS p", u=user
    )
    assert [row["v"] for row in stored] == [None, None]
    assert all("hashing/1" in row["p"] for row in stored)
    await graph.run("MATCH (m:Memory {user_id: $u}) SET m.enrich_due_at = null", u=user)


async def test_bad_vectors_in_the_graph_are_skipped_and_the_healthy_memory_is_found(
    services: Services, user: UserId, graph: Graph
):
    written = await services.remember(user, MemoryDraft(text="The healthy desk is oak."))
    assert written.memory
    for row in (SPOILT["not a number"], SPOILT["zero"], SPOILT["too narrow"]):
        await graph.run(
            "MATCH (h:Memory {id: $id}) CREATE (m:Memory:Episodic)"
            " SET m += h {.*, id: $new, current_key: $new, text: 'spoilt', search_text: 'spoilt', embedding: $row}",
            id=written.memory.id,
            new=uuid4().hex,
            row=row.tolist(),
        )

    answer = await services.recall(user, Question(query="healthy oak desk"))

    assert answer.hits[0].memory.id == written.memory.id
    assert answer.hits[0].ranks[Channel.SEMANTIC] == 1
