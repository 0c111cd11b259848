"""What no embedder lets in or out."""

import numpy as np
import pytest

from graph_memory.errors import InferenceError
from graph_memory.inference.vectors import check_shape, check_texts, unit_rows


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "\n\t", "\ufeff\u200d"])
def test_a_blank_text_is_refused_by_its_position(text):
    texts = ["a boat", text]

    with pytest.raises(InferenceError, match="text 1") as caught:
        check_texts(texts)

    assert not caught.value.is_retryable()


@pytest.mark.parametrize("text", ["half a pair \ud83d here", "\udc00", "nul \x00 inside"])
def test_text_that_is_not_well_formed_is_refused_with_its_place(text):
    texts = [text]

    with pytest.raises(InferenceError, match=r"text 0: .*position \d+"):
        check_texts(texts)


def test_every_bad_text_is_named_at_once():
    texts = ["", "fine", "\ud800"]

    with pytest.raises(InferenceError) as caught:
        check_texts(texts)

    assert "text 0" in str(caught.value) and "text 2" in str(caught.value) and "text 1" not in str(caught.value)


@pytest.mark.parametrize("text", ["?!", "👩\u200d👩\u200d👧", "\u202bقرب رصيف\u202c", "钓鱼"])
def test_signs_emoji_and_any_script_are_texts_like_others(text):
    texts = [text]

    check_texts(texts)

    assert texts == [text]


def test_rows_come_out_with_unit_length():
    vectors = np.array([[3, 4], [0, -2]], dtype=np.float32)

    units = unit_rows(vectors, model="m/1")

    np.testing.assert_allclose(units, [[0.6, 0.8], [0, -1]], rtol=1e-6)


@pytest.mark.parametrize("row", [[np.nan, 1], [np.inf, 1], [0, 0]])
def test_a_vector_without_direction_is_refused(row):
    vectors = np.array([[1, 0], row], dtype=np.float32)

    with pytest.raises(InferenceError, match=r"m/1 .* row 1"):
        unit_rows(vectors, model="m/1")


@pytest.mark.parametrize(("count", "dimensions"), [(3, 4), (2, 5)])
def test_too_few_or_too_narrow_vectors_are_refused(count, dimensions):
    vectors = np.ones((2, 4), dtype=np.float32)

    with pytest.raises(InferenceError, match="shape"):
        check_shape(vectors, count=count, dimensions=dimensions, model="m/1")
