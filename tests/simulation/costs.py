"""Counts what a life costs in calls, without changing any answer."""

from collections import Counter
from collections.abc import Sequence

from graph_memory.ports import Embedder, Floats


class Calls:
    """How often what was called, in all and by month."""

    def __init__(self) -> None:
        self.total: Counter[str] = Counter()
        self.by_month: dict[str, Counter[str]] = {}
        self._month: Counter[str] = Counter()

    def enter(self, month: str) -> None:
        """From now on calls belong to that month."""
        self._month = self.by_month.setdefault(month, Counter())

    def add(self, name: str, count: int = 1) -> None:
        self.total[name] += count
        self._month[name] += count


class CountedEmbedder:
    """The embedder behind it, with its calls and texts counted."""

    def __init__(self, inner: Embedder, calls: Calls) -> None:
        self._inner, self._calls = inner, calls

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    async def embed_passages(self, texts: Sequence[str]) -> Floats:
        self._calls.add("embedder calls")
        self._calls.add("texts embedded", len(texts))
        return await self._inner.embed_passages(texts)

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        self._calls.add("embedder calls")
        self._calls.add("texts embedded", len(texts))
        return await self._inner.embed_queries(texts)
