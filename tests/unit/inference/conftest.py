"""The real model, where a test needs it."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def model_jar() -> Path:
    """The jar of the default embedding model; a loud skip where nobody has said where it is."""
    if not (place := os.environ.get("GRAPH_MEMORY_TEST_MODEL_JAR")):
        pytest.skip("NO EMBEDDING MODEL: set GRAPH_MEMORY_TEST_MODEL_JAR to the jar of the default embedder")
    return Path(place)
