"""What a tagger without a language model makes of vectors."""

import dataclasses
import json
import math
from importlib import resources

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graph_memory.domain.memory import EMOTIONS, Emotion
from graph_memory.errors import InferenceError
from graph_memory.inference.emotion import (
    AffectScales,
    EmotionHeads,
    LinearEmotionTagger,
    NeutralEmotionTagger,
    shipped_heads,
)
from graph_memory.inference.model_specs import MINILM

ONES = np.ones((1, 1), dtype=np.float32)
COORDINATES = st.floats(-1, 1, width=32)


def tagger(*, valence: float = 3.0, arousal: float = 3.0, log_odds: float = -9.0, threshold: float = 0.3):
    """A tagger whose heads read these values off the vector [1]."""
    weights = np.array([[valence, arousal, *[log_odds] * len(EMOTIONS)]])
    heads = EmotionHeads(weights, np.zeros(10), np.full(len(EMOTIONS), threshold))
    return LinearEmotionTagger(heads, embedder="m/1")


@pytest.mark.parametrize(
    ("reading", "stored"), [(3.0, 0.0), (2.7, 0.0), (3.35, 0.25), (3.7, 0.5), (4.4, 1.0), (5.0, 1.0)]
)
async def test_arousal_starts_at_three_and_is_full_at_four_point_four(reading, stored):
    calm = tagger(arousal=reading)

    [emotion] = await calm.tag(["x"], ONES)

    assert emotion.arousal == pytest.approx(stored, abs=1e-9)


@pytest.mark.parametrize(
    ("reading", "stored"), [(1.0, -1.0), (1.4, -1.0), (2.2, -0.5), (3.0, 0.0), (3.8, 0.5), (4.6, 1.0), (5.0, 1.0)]
)
async def test_valence_runs_to_both_sides_of_three(reading, stored):
    felt = tagger(valence=reading)

    [emotion] = await felt.tag(["x"], ONES)

    assert emotion.valence == pytest.approx(stored, abs=1e-9)


@pytest.mark.parametrize(
    ("log_odds", "intensity"),
    [(math.log(1.0), 0.5), (math.log(3.0), 0.75), (math.log(0.25), 0.0), (-900.0, 0.0), (900.0, 1.0)],
)
async def test_an_intensity_is_a_chance_and_nothing_below_its_threshold(log_odds, intensity):
    moved = tagger(log_odds=log_odds, threshold=0.3)

    [emotion] = await moved.tag(["x"], ONES)

    assert [getattr(emotion, name) for name in EMOTIONS] == pytest.approx([intensity] * 8, abs=1e-9)


async def test_each_head_has_its_own_place():
    weights = np.diag([3.8, 3.7, *[math.log(chance / (1 - chance)) for chance in np.linspace(0.1, 0.8, 8)]])
    heads = EmotionHeads(weights, np.zeros(10), np.zeros(8))

    [emotion] = await LinearEmotionTagger(heads, embedder="m/1").tag(["x"], np.ones((1, 10), dtype=np.float32))

    assert dataclasses.asdict(emotion) == pytest.approx(
        {"joy": 0.1, "trust": 0.2, "fear": 0.3, "surprise": 0.4, "sadness": 0.5, "disgust": 0.6, "anger": 0.7}
        | {"anticipation": 0.8, "valence": 0.5, "arousal": 0.5}
    )


@settings(max_examples=30, deadline=None)  # wide arrays are slow to draw
@given(vectors=arrays(np.float32, (3, MINILM.dimensions), elements=COORDINATES))
async def test_whatever_the_vector_every_value_keeps_its_range(vectors):
    shipped = LinearEmotionTagger.for_embedder(MINILM.name)

    emotions = await shipped.tag(["a", "b", "c"], vectors)

    assert all(0 <= getattr(emotion, name) <= 1 for emotion in emotions for name in (*EMOTIONS, "arousal"))
    assert all(-1 <= emotion.valence <= 1 for emotion in emotions)


@settings(max_examples=30, deadline=None)  # wide arrays are slow to draw
@given(vectors=arrays(np.float32, (4, MINILM.dimensions), elements=COORDINATES))
async def test_a_memory_feels_the_same_in_any_company(vectors):
    shipped = LinearEmotionTagger.for_embedder(MINILM.name)

    together = await shipped.tag(["a"] * 4, vectors)

    alone = [(await shipped.tag(["a"], row[None]))[0] for row in vectors]
    assert [emotion.arousal for emotion in together] == pytest.approx([emotion.arousal for emotion in alone])
    assert [emotion.valence for emotion in together] == pytest.approx([emotion.valence for emotion in alone])


async def test_values_are_plain_numbers_that_a_store_can_take():
    shipped = LinearEmotionTagger.for_embedder(MINILM.name)

    [emotion] = await shipped.tag(["x"], np.zeros((1, MINILM.dimensions), dtype=np.float32))

    assert {type(value) for value in dataclasses.asdict(emotion).values()} == {float}


async def test_no_memories_have_no_emotions():
    shipped = LinearEmotionTagger.for_embedder(MINILM.name)

    emotions = await shipped.tag([], np.zeros((0, MINILM.dimensions), dtype=np.float32))

    assert emotions == []


@pytest.mark.parametrize("shape", [(1, MINILM.dimensions), (2, MINILM.dimensions - 1)])
async def test_too_few_or_too_narrow_vectors_are_refused(shape):
    shipped = LinearEmotionTagger.for_embedder(MINILM.name)

    with pytest.raises(InferenceError, match="shape") as caught:
        await shipped.tag(["a", "b"], np.zeros(shape, dtype=np.float32))

    assert not caught.value.is_retryable()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
async def test_a_vector_that_is_not_finite_is_refused_by_its_row(bad):
    vectors = np.array([[0.5], [bad]], dtype=np.float32)

    with pytest.raises(InferenceError, match="row 1"):
        await tagger().tag(["a", "b"], vectors)


async def test_an_embedder_without_trained_heads_leaves_memories_neutral():
    untrained = LinearEmotionTagger.for_embedder("hashing/1")

    emotions = await untrained.tag(["I love it!", "I hate it!"], np.ones((2, 7), dtype=np.float32))

    assert isinstance(untrained, NeutralEmotionTagger)
    assert emotions == [Emotion(), Emotion()]


async def test_other_scales_may_be_given():
    weights, scales = np.array([[3.0, 2.0, *[0.0] * 8]]), AffectScales(arousal_zero=1.0, arousal_span=4.0)
    heads = EmotionHeads(weights, np.zeros(10), np.ones(8))

    [emotion] = await LinearEmotionTagger(heads, embedder="m/1", scales=scales).tag(["x"], ONES)

    assert emotion == Emotion(arousal=0.25)


def test_the_shipped_heads_fit_the_default_embedder():
    heads = shipped_heads(MINILM.name)

    assert heads is not None
    assert heads.weights.shape == (MINILM.dimensions, 10)
    assert heads.intercepts.shape == (10,)
    assert ((heads.thresholds > 0) & (heads.thresholds < 1)).all()


def test_the_notice_beside_the_heads_tells_their_licences_and_scores():
    folder = resources.files("graph_memory.inference")
    trained = json.loads(folder.joinpath("emotion_heads.json").read_text("utf-8"))

    notice = folder.joinpath("emotion_heads.txt").read_text("utf-8")

    assert all(word in notice for word in ("EmoBank", "CC BY-SA 4.0", "GoEmotions", "Apache-2.0"))
    assert all(f"{score:.3f}" in notice for each in trained.values() for score in each["scores"].values())
