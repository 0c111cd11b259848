"""Calls that arrive together share a model call, without a timer.

While one batch runs the next gathers: an idle embedder answers at once, a busy one takes all that has come in
meanwhile. Each event loop has its own gathering, so one embedder may serve several loops.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from graph_memory.errors import InferenceError
from graph_memory.inference.vectors import check_shape, check_texts
from graph_memory.ports import Embedder, Floats

_Embed = Callable[[Sequence[str]], Awaitable[Floats]]


class BatchingEmbedder:
    """Any embedder, asked in batches, with the vectors of recent queries kept.

    A caller that is cancelled or sends a bad text harms no other: a batch that fails is asked again caller by
    caller, unless the failure is a passing one, which has no guilty caller and goes to all.
    """

    def __init__(self, inner: Embedder, *, max_batch: int = 64, cached_queries: int = 1024) -> None:
        """
        Args:
            max_batch: most texts in a model call; a longer call is made in turns, so that others come in between.
            cached_queries: query vectors kept for each event loop, the least recently used going first; 0: none.
        """
        self.name = inner.name
        self.dimensions = inner.dimensions
        self._inner = inner
        self._max_batch = max_batch
        self._cached_queries = cached_queries
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, _LoopState] = WeakKeyDictionary()

    async def embed_passages(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimensions), float32, rows of unit length. Raises InferenceError."""
        return await self._embed(texts, self._state().passages)

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimensions), float32, rows of unit length. Raises InferenceError."""
        state = self._state()
        known = {text: vector for text in texts if (vector := state.recent.get(text)) is not None}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        for text, vector in zip(missing, await self._embed(missing, state.queries), strict=True):
            known[text] = vector.copy()
            state.recent.put(text, known[text])
        return self._stacked([known[text][np.newaxis] for text in texts])

    async def _embed(self, texts: Sequence[str], gathering: "_Gathering") -> Floats:
        check_texts(texts)
        starts = range(0, len(texts), self._max_batch)
        return self._stacked([await gathering.add(texts[start : start + self._max_batch]) for start in starts])

    def _stacked(self, parts: list[Floats]) -> Floats:
        return np.concatenate([np.empty((0, self.dimensions), dtype=np.float32), *parts])

    def _state(self) -> "_LoopState":
        loop = asyncio.get_running_loop()
        if loop not in self._by_loop:
            self._by_loop[loop] = _LoopState(
                passages=_Gathering(self._checked(self._inner.embed_passages), self._max_batch),
                queries=_Gathering(self._checked(self._inner.embed_queries), self._max_batch),
                recent=_Recent(self._cached_queries),
            )
        return self._by_loop[loop]

    def _checked(self, embed: _Embed) -> _Embed:
        async def checked(texts: Sequence[str]) -> Floats:
            return check_shape(await embed(texts), count=len(texts), dimensions=self.dimensions, model=self.name)

        return checked


class _Recent:
    """The vectors of the queries asked last."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._vectors: OrderedDict[str, Floats] = OrderedDict()

    def get(self, text: str) -> Floats | None:
        if text in self._vectors:
            self._vectors.move_to_end(text)
        return self._vectors.get(text)

    def put(self, text: str, vector: Floats) -> None:
        self._vectors[text] = vector
        if len(self._vectors) > self._size:
            self._vectors.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Call:
    texts: Sequence[str]
    answer: asyncio.Future[Floats]


class _Gathering:
    """The calls of one kind in one event loop, answered batch after batch by a task that lives while there are any."""

    def __init__(self, embed: _Embed, max_batch: int) -> None:
        self._embed = embed
        self._max_batch = max_batch
        self._waiting: deque[_Call] = deque()
        self._runner: asyncio.Task[None] | None = None

    async def add(self, texts: Sequence[str]) -> Floats:
        call = _Call(texts, asyncio.get_running_loop().create_future())
        self._waiting.append(call)
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())
        return await call.answer

    async def _run(self) -> None:
        await asyncio.sleep(0)  # calls made in the same turn of the loop come along
        while batch := self._next_batch():
            try:
                await self._answer(batch)
            finally:  # if this task is ended from outside, nobody waits for ever
                for call in batch:
                    call.answer.cancel()
        self._runner = None  # a task knows its loop and would keep it alive

    def _next_batch(self) -> list[_Call]:
        batch: list[_Call] = []
        room = self._max_batch
        while self._waiting and len(self._waiting[0].texts) <= room:
            call = self._waiting.popleft()
            if not call.answer.done():  # else its caller was cancelled
                batch.append(call)
                room -= len(call.texts)
        return batch

    async def _answer(self, batch: list[_Call]) -> None:
        try:
            vectors = await self._embed([text for call in batch for text in call.texts])
        except Exception as exc:
            await self._answer_failure(batch, exc)
        else:
            _hand_out(vectors, batch)

    async def _answer_failure(self, batch: list[_Call], error: Exception) -> None:
        passing = isinstance(error, InferenceError) and error.is_retryable()
        if len(batch) > 1 and not passing:
            for call in batch:
                await self._answer([call])
            return
        for call in batch:
            if not call.answer.done():
                call.answer.set_exception(error)


def _hand_out(vectors: Floats, batch: list[_Call]) -> None:
    ends = np.cumsum([len(call.texts) for call in batch])
    for call, rows in zip(batch, np.split(vectors, ends[:-1]), strict=True):
        if not call.answer.done():
            call.answer.set_result(rows)


@dataclass(frozen=True, slots=True)
class _LoopState:
    passages: _Gathering
    queries: _Gathering
    recent: _Recent
