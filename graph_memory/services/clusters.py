"""Clusters: which memories lie together by meaning, topic and subject. Vectors of topics are made here, for those alone
that lie densely by their texts."""

import asyncio
from collections.abc import Hashable, Sequence

import numpy as np

from graph_memory.domain.clustering import ClusterRules, Points, Rows, settled_clusters, topic_text
from graph_memory.domain.draft import is_user
from graph_memory.domain.identity import name_key
from graph_memory.domain.statement import Wording
from graph_memory.ports import Clusterer, Embedder, Floats, Groupable
from graph_memory.services.encode import check_vectors


class Clusters:
    """Finds clusters."""

    def __init__(self, *, clusterer: Clusterer, embedder: Embedder, wording: Wording) -> None:
        self._clusterer, self._embedder, self._wording = clusterer, embedder, wording

    async def __call__(self, members: Sequence[Groupable], rules: ClusterRules) -> list[list[Groupable]]:
        """The clusters of memories; what is in none of them is noise. Raises InferenceError."""
        if len(members) < rules.min_samples:
            return []
        vectors = _rows(np.stack([each.vector for each in members]))

        def density(rows: Rows, eps: float) -> Sequence[Sequence[int]]:
            return self._clusterer(rows, eps=eps, min_samples=rules.min_samples)

        dense = await asyncio.to_thread(density, vectors, rules.eps)
        places = sorted(place for group in dense for place in group)
        near = [members[place] for place in places]
        if not near:
            return []
        topics = _rows(await self._topics(near))
        points = Points(vectors[places], topics, [_subject(each) for each in near])
        found = await asyncio.to_thread(settled_clusters, points, density, rules)
        return [[near[place] for place in cluster] for cluster in found]

    async def _topics(self, members: Sequence[Groupable]) -> Floats:
        names = frozenset(word for each in members for word in _words_of_names(each))
        texts = [topic_text(each.text, names=names, wording=self._wording) for each in members]
        vectors = await self._embedder.embed_passages(texts)
        check_vectors(vectors, texts=len(texts), dimensions=self._embedder.dimensions, embedder=self._embedder.name)
        return vectors


def _rows(vectors: Floats) -> Rows:
    """The same in double precision, of unit length."""
    rows = vectors.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = rows / np.where(lengths > 0.0, lengths, 1.0)
    return unit


def _subject(member: Groupable) -> Hashable:
    """Whom a memory is about and who says so; the user, by whatever word, is one."""
    speaker = "" if member.speaker is None or is_user(member.speaker) else name_key(member.speaker)
    people = {*map(name_key, member.people), *member.persons} - {speaker}
    return speaker, frozenset(people), frozenset(map(name_key, member.entities))


def _words_of_names(member: Groupable) -> list[str]:
    spoken = (member.speaker,) if member.speaker else ()
    return [
        word for name in (*spoken, *member.people, *member.entities, *member.persons) for word in name_key(name).split()
    ]
