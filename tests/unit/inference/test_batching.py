"""Calls that share a model call."""

import asyncio
import gc

import numpy as np
import pytest

from graph_memory.errors import InferenceError
from graph_memory.inference.batching import BatchingEmbedder
from tests.unit.inference.doubles import GatedEmbedder, unit_of


@pytest.fixture
def inner():
    return GatedEmbedder()


async def started(*calls):
    """The calls as tasks that have got as far as they can."""
    tasks = [asyncio.create_task(call) for call in calls]
    for _ in range(10):
        await asyncio.sleep(0)
    return tasks


async def test_calls_made_together_share_one_model_call(inner):
    embedder = BatchingEmbedder(inner)
    inner.gate.set()

    one, two = await asyncio.gather(embedder.embed_passages(["a", "b"]), embedder.embed_passages(["c"]))

    assert inner.calls == [["a", "b", "c"]]
    np.testing.assert_array_equal(one, [unit_of("a"), unit_of("b")])
    np.testing.assert_array_equal(two, [unit_of("c")])


async def test_calls_gather_while_a_batch_runs(inner):
    embedder = BatchingEmbedder(inner)
    first = await started(embedder.embed_passages(["first"]))
    later = await started(*(embedder.embed_passages([text]) for text in "abc"))

    inner.gate.set()
    await asyncio.gather(*first, *later)

    assert inner.calls == [["first"], ["a", "b", "c"]]


async def test_queries_and_passages_never_share_a_call(inner):
    embedder = BatchingEmbedder(inner)
    inner.gate.set()

    await asyncio.gather(embedder.embed_passages(["a"]), embedder.embed_queries(["a"]))

    assert inner.calls == [["a"], ["a"]]


async def test_no_batch_is_larger_than_the_limit(inner):
    embedder = BatchingEmbedder(inner, max_batch=4)
    inner.gate.set()

    await asyncio.gather(*(embedder.embed_passages([f"{number}a", f"{number}b", f"{number}c"]) for number in range(3)))

    assert [len(call) for call in inner.calls] == [3, 3, 3]


async def test_a_call_larger_than_a_batch_lets_others_in_between(inner):
    embedder = BatchingEmbedder(inner, max_batch=2)
    inner.gate.set()

    many, few = await asyncio.gather(embedder.embed_passages(list("abcdef")), embedder.embed_passages(["z"]))

    assert inner.calls.index(["z"]) < len(inner.calls) - 1
    np.testing.assert_array_equal(many, [unit_of(text) for text in "abcdef"])
    np.testing.assert_array_equal(few, [unit_of("z")])


async def test_only_the_caller_with_the_bad_text_fails(inner):
    embedder = BatchingEmbedder(inner)
    inner.gate.set()

    good, bad, also_good = await asyncio.gather(
        *(embedder.embed_passages([text]) for text in ("fine", "bad", "well")), return_exceptions=True
    )

    assert isinstance(bad, InferenceError)
    np.testing.assert_array_equal([*good, *also_good], [unit_of("fine"), unit_of("well")])


async def test_a_passing_failure_goes_to_all_callers_without_asking_again(inner):
    embedder = BatchingEmbedder(inner)
    inner.failure = InferenceError("overloaded", retryable=True)
    inner.gate.set()

    answers = await asyncio.gather(*(embedder.embed_passages([text]) for text in "abc"), return_exceptions=True)

    assert answers == [inner.failure] * 3
    assert len(inner.calls) == 1


@pytest.mark.parametrize("blank", ["", " \u200b "])
async def test_a_blank_text_is_refused_before_any_model_call(inner, blank):
    embedder = BatchingEmbedder(inner)

    with pytest.raises(InferenceError, match="text 1"):
        await embedder.embed_queries(["fine", blank])

    assert inner.calls == []


async def test_a_cancelled_caller_does_not_take_the_batch_along(inner):
    embedder = BatchingEmbedder(inner)
    gone, stays = await started(embedder.embed_passages(["gone"]), embedder.embed_passages(["stays"]))

    gone.cancel()
    inner.gate.set()

    np.testing.assert_array_equal(await stays, [unit_of("stays")])
    assert gone.cancelled()


async def test_a_caller_cancelled_while_waiting_costs_no_model_call(inner):
    embedder = BatchingEmbedder(inner)
    first, waiting = [
        *await started(embedder.embed_passages(["first"])),
        *await started(embedder.embed_passages(["w"])),
    ]

    waiting.cancel()
    inner.gate.set()
    await first

    assert inner.calls == [["first"]]


async def test_a_model_that_answers_too_few_vectors_is_an_error(inner, monkeypatch):
    async def too_few(texts):
        return np.ones((1, 2), dtype=np.float32)

    monkeypatch.setattr(inner, "embed_passages", too_few)
    embedder = BatchingEmbedder(inner)

    with pytest.raises(InferenceError, match="shape"):
        await embedder.embed_passages(["a", "b"])


async def test_a_query_asked_again_is_remembered(inner):
    embedder = BatchingEmbedder(inner)
    inner.gate.set()

    first, again = await embedder.embed_queries(["a", "b", "a"]), await embedder.embed_queries(["a"])

    assert inner.calls == [["a", "b"]]
    np.testing.assert_array_equal(first[2:], again)


async def test_spoiling_an_answer_does_not_spoil_the_remembered_vector(inner):
    embedder = BatchingEmbedder(inner)
    inner.gate.set()
    answer = await embedder.embed_queries(["a"])

    answer[:] = 0

    np.testing.assert_array_equal(await embedder.embed_queries(["a"]), [unit_of("a")])


async def test_the_query_asked_longest_ago_is_forgotten_first(inner):
    embedder = BatchingEmbedder(inner, cached_queries=2)
    inner.gate.set()

    for text in ("a", "b", "a", "c", "a", "b"):
        await embedder.embed_queries([text])

    assert inner.calls == [["a"], ["b"], ["c"], ["b"]]


@pytest.mark.parametrize("kind", ["embed_passages", "embed_queries"])
async def test_no_texts_are_no_rows_and_no_model_call(inner, kind):
    embedder = BatchingEmbedder(inner)

    vectors = await getattr(embedder, kind)([])

    assert vectors.shape == (0, 2)
    assert inner.calls == []


def test_one_embedder_serves_one_event_loop_after_another():
    inner = GatedEmbedder()
    inner.gate.set()
    embedder = BatchingEmbedder(inner)

    shapes = [asyncio.run(embedder.embed_passages(["a"])).shape for _ in range(2)]

    assert shapes == [(1, 2), (1, 2)]


def test_a_finished_event_loop_is_not_kept_alive():
    inner = GatedEmbedder()
    inner.gate.set()
    embedder = BatchingEmbedder(inner)

    asyncio.run(embedder.embed_queries(["a"]))
    gc.collect()

    assert len(embedder._by_loop) == 0
