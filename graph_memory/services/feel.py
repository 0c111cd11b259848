"""Feel: the emotion of memories, read by a language model once they are written (constants.md 2.1).

Every memory has an emotion from the embedder's heads at once; where there is a model its reading takes their place, and
the dates that depend on arousal move with it. It is done behind the enrichment, which waits for no model; what fails or
is not reached before the end keeps what the heads read.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Mapping, Sequence

from graph_memory.domain.memory import Emotion, Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.errors import GraphMemoryError
from graph_memory.ports import Clock, LanguageModel, MemoryStore, PendingMemory, Transformation, Transformed

_log = logging.getLogger(__name__)
_MOST_WAITING = 10_000  # memories


class Feel:
    """Tags memories with what a model reads in them."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        model: LanguageModel,
        reinforcement: Reinforcement,
        clock: Clock,
        batch: int,
        characters: int,
        close_seconds: float,
    ) -> None:
        """`batch` texts go into one question, the first `characters` of each.

        Closing waits `close_seconds` at most for what is under way.
        """
        self._memories, self._model, self._reinforcement, self._clock = memories, model, reinforcement, clock
        self._batch, self._characters, self._close_seconds = batch, characters, close_seconds
        self._waiting: deque[PendingMemory] = deque(maxlen=_MOST_WAITING)
        self._reader: asyncio.Task[None] | None = None

    async def __call__(self, written: Sequence[PendingMemory]) -> int:
        """Takes memories that are to be read soon; how many."""
        self._waiting.extend(written)
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read_all())
        return len(written)

    async def settled(self) -> None:
        """Returns when all that was taken so far has been read, or could not be."""
        if self._reader:
            await asyncio.shield(self._reader)

    async def close(self) -> None:
        """Ends the reading, soon."""
        try:
            async with asyncio.timeout(self._close_seconds):
                await self.settled()
        except TimeoutError:
            assert self._reader
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)

    async def _read_all(self) -> None:
        while self._waiting:
            user_id = self._waiting[0].user_id
            batch: list[PendingMemory] = []
            while self._waiting and self._waiting[0].user_id == user_id and len(batch) < self._batch:
                batch.append(self._waiting.popleft())
            try:
                await self._tag(user_id, batch)
            except GraphMemoryError as error:
                _log.warning("%d memories keep the emotion that they have: %s", len(batch), error)

    async def _tag(self, user_id: UserId, memories: Sequence[PendingMemory]) -> None:
        texts = [each.text[: self._characters] for each in memories]
        emotions = (await self._model.emotion(user_id, texts)).value
        felt = {each.id: (each.text, emotion) for each, emotion in zip(memories, emotions, strict=True)}
        await self._memories.transform(
            user_id, list(felt), lambda found, _: self._tagged(found, felt), at=self._clock.now()
        )

    def _tagged(self, found: Mapping[MemoryId, Memory], felt: Mapping[MemoryId, tuple[str, Emotion]]) -> Transformation:
        """Those that still say what was read."""
        return Transformation(
            tuple(
                Transformed(self._reinforcement.tagged(memory, felt[memory_id][1]), ())
                for memory_id, memory in found.items()
                if memory.text == felt[memory_id][0]
            )
        )
