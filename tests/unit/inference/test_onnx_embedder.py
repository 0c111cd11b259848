"""The default embedder on a model that counts words."""

import asyncio

import numpy as np
import pytest

from graph_memory.errors import InferenceError
from graph_memory.inference.onnx_embedder import OnnxEmbedder
from tests.unit.inference.doubles import ConstantModel, DeafModel, WaitingModel, WordCountModel

GARDENING = " ".join(f"flower{number % 50}" for number in range(2_000))


async def test_the_last_sentence_of_a_long_text_moves_its_vector():
    embedder = OnnxEmbedder(WordCountModel(), name="words/1")

    without, with_fact = await embedder.embed_passages([GARDENING, GARDENING + " cellar lamp"])

    assert np.abs(without - with_fact).max() > 1e-4


async def test_a_window_is_never_longer_than_the_model_reads():
    model = WordCountModel()
    embedder = OnnxEmbedder(model, name="words/1", passage_prefix="passage :", max_tokens=100)

    await embedder.embed_passages([GARDENING])

    assert model.longest_read == 100


async def test_the_number_of_windows_can_be_asked():
    embedder = OnnxEmbedder(WordCountModel(), name="words/1", max_tokens=256)

    counts = embedder.window_count("one two three"), embedder.window_count(GARDENING)

    assert counts == (1, 9)


async def test_a_text_beyond_all_windows_is_refused_rather_than_cut():
    embedder = OnnxEmbedder(WordCountModel(), name="words/1", max_tokens=40)

    with pytest.raises(InferenceError, match="windows; at most"):
        await embedder.embed_passages([GARDENING * 3])


async def test_queries_and_passages_get_their_own_prefix():
    embedder = OnnxEmbedder(WordCountModel(), name="words/1", query_prefix="query ", passage_prefix="passage ")

    [query], [passage] = await embedder.embed_queries(["boat"]), await embedder.embed_passages(["boat"])

    assert 0.4 < query @ passage < 0.6


async def test_rows_keep_the_order_of_the_texts_however_they_are_shared_out():
    texts = [f"word{number} " * (1 + number % 7) for number in range(101)]
    one_thread = OnnxEmbedder(WordCountModel(), name="words/1", threads=1)
    five_threads = OnnxEmbedder(WordCountModel(), name="words/1", threads=5)

    vectors = await five_threads.embed_passages(texts)

    np.testing.assert_array_equal(vectors, await one_thread.embed_passages(texts))


@pytest.mark.parametrize("vector", [[np.nan, 1.0], [0.0, 0.0], [np.inf, 0.0]])
async def test_a_model_that_gives_no_direction_is_an_error(vector):
    embedder = OnnxEmbedder(ConstantModel(vector), name="broken/1")

    with pytest.raises(InferenceError, match="broken/1"):
        await embedder.embed_passages(["boat"])


async def test_a_text_of_unknown_characters_only_is_refused():
    embedder = OnnxEmbedder(DeafModel([1.0]), name="deaf/1")

    with pytest.raises(InferenceError, match="none of its characters"):
        await embedder.embed_passages(["boat"])


async def test_one_bad_text_among_many_gives_its_own_error():
    embedder = OnnxEmbedder(WordCountModel(), name="words/1", max_tokens=40, threads=3)

    with pytest.raises(InferenceError, match="windows; at most"):
        await embedder.embed_passages([*["boat"] * 50, GARDENING * 3])


async def test_the_event_loop_runs_on_while_a_model_thinks():
    model = WaitingModel([1.0])
    embedder = OnnxEmbedder(model, name="slow/1")

    thinking = asyncio.create_task(embedder.embed_passages(["boat"]))
    await asyncio.to_thread(model.asked.wait)
    model.may_answer.set()  # had the model held the loop, this line would never be reached

    assert (await thinking).shape == (1, 1)


async def test_a_question_does_not_wait_behind_stored_texts():
    model = WaitingModel([1.0], waits_for="passage")
    embedder = OnnxEmbedder(model, name="slow/1", passage_prefix="passage", threads=1)
    thinking = asyncio.create_task(embedder.embed_passages(["boat"] * 20))
    await asyncio.to_thread(model.asked.wait)

    answer = await embedder.embed_queries(["boat"])

    model.may_answer.set()
    assert (answer.shape, (await thinking).shape) == ((1, 1), (20, 1))
