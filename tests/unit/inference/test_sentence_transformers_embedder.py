"""The sentence-transformers adapter on a double; the contract suite runs it on the real library where installed."""

import sys
from pathlib import Path

import numpy as np
import pytest

from graph_memory.errors import InferenceError
from graph_memory.inference.sentence_transformers_embedder import SentenceTransformersEmbedder
from tests.unit.inference.doubles import SentenceTransformerDouble

ROSES = "the roses by the fence want water and shade " * 222


async def test_no_piece_is_longer_than_the_model_reads():
    model = SentenceTransformerDouble(max_seq_length=50)
    embedder = SentenceTransformersEmbedder(model, name="double/1", passage_prefix="passage: ")

    await embedder.embed_passages([ROSES])

    assert max(len(piece.split()) for piece in model.read) == 48


async def test_every_piece_of_a_long_text_carries_the_prefix():
    model = SentenceTransformerDouble(max_seq_length=50)
    embedder = SentenceTransformersEmbedder(model, name="double/1", passage_prefix="passage: ")
    model.read.clear()

    await embedder.embed_passages([ROSES])

    assert len(model.read) > 1 and all(piece.startswith("passage: ") for piece in model.read)


async def test_the_last_sentence_of_a_long_text_moves_its_vector():
    embedder = SentenceTransformersEmbedder(SentenceTransformerDouble(max_seq_length=50), name="double/1")

    without, with_fact = await embedder.embed_passages([ROSES, ROSES + "cellar lamp"])

    assert np.abs(without - with_fact).max() > 1e-4


async def test_a_failure_of_the_library_is_an_inference_error():
    model = SentenceTransformerDouble(max_seq_length=50)
    embedder = SentenceTransformersEmbedder(model, name="double/1")
    model.failure = RuntimeError("out of memory")

    with pytest.raises(InferenceError, match=r"double/1 failed on 1 texts: out of memory"):
        await embedder.embed_queries(["boat"])


def test_a_missing_library_names_the_extra_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)

    with pytest.raises(InferenceError, match=r"pip install graph-memory\[local-models\]"):
        SentenceTransformersEmbedder.from_folder(Path("anywhere"), name="any/1")
