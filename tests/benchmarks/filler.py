"""Many memories that look like real ones: turns of real conversations, told again with other words.

A retold turn keeps its speaker, its place in its session and its date. Every third word is swapped for one drawn from
all turns, so word statistics stay those of speech; its vector is the turn's own with a little noise (cosine about
0.93), so neighbourhoods stay those of real texts and no two vectors are equal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graph_memory.domain.draft import MemoryDraft
from graph_memory.ports import Embedder, Floats
from tests.benchmarks.corpora import Corpus

_NOISE = 0.02  # standard deviation in each dimension


@dataclass(frozen=True, slots=True)
class Filler:
    """Memories about to be written, with their vectors."""

    drafts: tuple[MemoryDraft, ...]
    vectors: Floats  # shape (len(drafts), dimensions), rows of unit length


class Turns:
    """The turns of conversations and their vectors, to be retold any number of times."""

    def __init__(self, drafts: Sequence[MemoryDraft], vectors: Floats) -> None:
        self._drafts, self._vectors = drafts, vectors
        self._words = np.array([word for draft in drafts for word in draft.text.split()])

    def speakers(self) -> list[str]:
        """Everyone who speaks."""
        return sorted({draft.speaker for draft in self._drafts if draft.speaker})

    def batches(self, count: int, *, rows: int, seed: int, begin: int = 0, sessions: bool = True) -> Iterator[Filler]:
        """`count` memories, `rows` at once, from number `begin` on; without `sessions` they stand alone.

        A batch depends on its seed and its first number alone, so that a load that broke off can go on.
        """
        for start in range(begin, count, rows):
            lots = np.random.default_rng([seed, start])
            yield self._batch(range(start, min(start + rows, count)), lots, sessions)

    def _batch(self, numbers: range, lots: np.random.Generator, sessions: bool) -> Filler:
        turns = [number % len(self._drafts) for number in numbers]
        return Filler(
            drafts=tuple(self._retold(number, lots, sessions) for number in numbers),
            vectors=_noisy(self._vectors[turns], lots),
        )

    def _retold(self, number: int, lots: np.random.Generator, sessions: bool) -> MemoryDraft:
        round_, turn = divmod(number, len(self._drafts))
        draft = self._drafts[turn]
        words = draft.text.split()
        for position in range(int(lots.integers(3)), len(words), 3):
            words[position] = str(lots.choice(self._words))
        text = f"{' '.join(words)} #{number}"
        return replace(
            draft,
            text=text,
            external_id=None,
            idempotency_key=None,
            session_id=f"{draft.session_id} of round {round_}" if sessions else None,
        )


async def turns_of(corpora: Sequence[Corpus], embedder: Embedder) -> Turns:
    """The turns of conversations, embedded."""
    drafts = [draft for corpus in corpora for draft in corpus.drafts]
    return Turns(drafts, await embedder.embed_passages([draft.text for draft in drafts]))


def _noisy(vectors: Floats, lots: np.random.Generator) -> Floats:
    noisy = vectors + lots.normal(0.0, _NOISE, vectors.shape).astype(np.float32)
    unit: Floats = (noisy / np.linalg.norm(noisy, axis=1, keepdims=True)).astype(np.float32)
    return unit
