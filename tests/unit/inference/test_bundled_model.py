"""The default embedder on its real model."""

import sys

import numpy as np
import pytest

from graph_memory.errors import InferenceError
from graph_memory.inference.model_specs import E5_SMALL, MINILM
from graph_memory.inference.onnx_embedder import OnnxEmbedder


@pytest.fixture(scope="module")
def embedder(model_jar):
    embedder = OnnxEmbedder.from_jar(model_jar, MINILM)
    yield embedder
    embedder.close()


async def test_a_text_has_one_vector_whatever_it_is_embedded_with(embedder):
    texts = ["The boat lies in the harbour.", "Rain.", "A much longer text about the rehearsal of the choir " * 5]

    together = await embedder.embed_passages(texts)

    alone = np.concatenate([await embedder.embed_passages([text]) for text in texts])
    np.testing.assert_array_equal(together, alone)


async def test_texts_of_like_meaning_lie_closer_than_others(embedder):
    question, near, far = await embedder.embed_passages(
        ["Where is the boat?", "The ship is moored in the harbour.", "She baked bread with rye flour."]
    )

    assert question @ near > question @ far + 0.1


async def test_a_fact_in_the_last_of_two_thousand_words_moves_the_vector_towards_its_question(embedder):
    filler = "The roses by the fence want water and shade. " * 222
    [question] = await embedder.embed_queries(["Where is the cellar lamp kept?"])

    without, with_fact = await embedder.embed_passages([filler, filler + "The cellar lamp is kept behind the door."])

    assert question @ with_fact > question @ without


async def test_emoji_and_any_script_get_finite_vectors(embedder):
    texts = ["👩\u200d👩\u200d👧", "\u202bقرب رصيف\u202c", "周末去河边钓鱼", "?!"]

    vectors = await embedder.embed_queries(texts)

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


def test_a_jar_with_another_model_is_named_as_such(model_jar):
    with pytest.raises(InferenceError, match="cannot read e5-small"):
        OnnxEmbedder.from_jar(model_jar, E5_SMALL)


def test_a_jar_that_is_not_there_is_an_inference_error(tmp_path):
    with pytest.raises(InferenceError, match=r"cannot read .* from absent\.jar"):
        OnnxEmbedder.from_jar(tmp_path / "absent.jar", MINILM)


@pytest.mark.parametrize("content", [b"", b"half a jar"])
def test_a_broken_jar_is_an_inference_error(tmp_path, content):
    (tmp_path / "broken.jar").write_bytes(content)

    with pytest.raises(InferenceError, match=r"broken\.jar"):
        OnnxEmbedder.from_jar(tmp_path / "broken.jar", MINILM)


def test_missing_libraries_name_the_extra_to_install(model_jar, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)

    with pytest.raises(InferenceError, match=r"pip install graph-memory\[embedder\]"):
        OnnxEmbedder.from_jar(model_jar, MINILM)
