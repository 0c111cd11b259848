"""The shipped emotion heads against the test sets that they were never fitted on."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from graph_memory.domain.memory import EMOTIONS
from graph_memory.inference.emotion import LinearEmotionTagger, shipped_heads
from graph_memory.inference.model_specs import MINILM
from graph_memory.inference.onnx_embedder import OnnxEmbedder
from graph_memory.ports import Floats
from tests.benchmarks.fit_emotion import correlation, emobank, f1_scores, goemotions


async def embedded(jar: Path, texts: Sequence[str]) -> Floats:
    embedder = OnnxEmbedder.from_jar(jar, MINILM)
    try:
        return await embedder.embed_passages(texts)
    finally:
        embedder.close()


async def test_valence_and_arousal_follow_the_readers_of_emobank(model_jar: Path, shared_data: Path):
    rows = emobank("test", shared_data / "data")

    readings = shipped_heads(MINILM.name).readings(await embedded(model_jar, rows.texts))

    assert correlation(readings[:, 0], rows.gold[:, 0]) >= 0.60
    assert correlation(readings[:, 1], rows.gold[:, 1]) >= 0.40


async def test_the_eight_are_found_where_the_readers_of_goemotions_found_them(model_jar: Path, shared_data: Path):
    rows = goemotions("test", shared_data / "data")

    emotions = await LinearEmotionTagger.for_embedder(MINILM.name).tag(
        rows.texts, await embedded(model_jar, rows.texts)
    )

    said = np.array([[getattr(emotion, name) > 0 for name in EMOTIONS] for emotion in emotions])
    assert f1_scores(said, rows.gold > 0).mean() >= 0.48


@pytest.mark.parametrize(
    ("text", "felt"),
    [
        ("I am so happy for you, congratulations!", "joy"),
        ("I am terrified of going back to that house.", "fear"),
        ("I miss my grandmother and cry every night.", "sadness"),
        ("I am furious with the landlord, he is a damn liar!", "anger"),
    ],
)
async def test_what_anyone_would_feel_is_felt_most(model_jar: Path, text: str, felt: str):
    vectors = await embedded(model_jar, [text])

    [emotion] = await LinearEmotionTagger.for_embedder(MINILM.name).tag([text], vectors)

    assert max(EMOTIONS, key=lambda name: getattr(emotion, name)) == felt
    assert getattr(emotion, felt) >= 0.5
