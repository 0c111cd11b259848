"""Clusters of memories that say much the same: dense by meaning, of one topic and one subject, and small.

Density alone makes chains: a is near b, b near c, and a summary of the chain mixes what a and c speak of. So a dense
cluster is settled before anything is drawn from it. It is parted by subject. It must be tight: every member lies within
the distance of the centroid. It must be of one topic, which is the text without names and words that carry no content,
for "in Porto" in every text makes none. And it must be small. What is loose or large is parted at a smaller distance,
until it holds or is noise; what is alike throughout and too large is cut into equal pieces.

Source: constants.md 2.7, steps 3 to 5 (Agenternal; DBSCAN: Ester and others 1996); operations.md, Bounds of sleep;
topic and tightness are ours (cases.md 25).
"""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graph_memory.domain.names import capitalised_names
from graph_memory.domain.statement import Wording, read
from graph_memory.domain.vocabulary import MemoryId

Rows = npt.NDArray[np.float64]  # shape (points, dimensions), rows of unit length
# The groups of rows that lie densely within a distance of 1 - cosine; a row in no group is noise.
Density = Callable[[Rows, float], Sequence[Sequence[int]]]

_TOLERANCE = 1e-9
_LEAST_EPS = 0.01  # members nearer than this are alike, however many they are


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRules:
    """The numbers of clustering (settings `sleep.*`)."""

    eps: float = 0.35  # the distance, 1 - cosine
    min_samples: int = 3  # least members of a cluster, and least neighbours that make a point dense, itself counted
    topic_cosine: float = 0.45  # least mean cosine of a member's topic to those of the others
    most: int = 20  # members of a cluster
    shrink: float = 0.8  # of the distance, each time that a cluster is too loose or too large


@dataclass(frozen=True, slots=True)
class Points:
    """What is clustered: for each point its vector, the vector of its topic, and whom it is about."""

    vectors: Rows
    topics: Rows
    subjects: Sequence[Hashable]


def centroid(rows: Rows) -> Rows:
    """The renormalised mean of unit vectors, shape (1, dimensions); the first row where they cancel out."""
    mean = rows.mean(axis=0, keepdims=True)
    length = float(np.linalg.norm(mean))
    return rows[:1] if length < _TOLERANCE else mean / length


def cosines_to_centroid(rows: Rows) -> npt.NDArray[np.float64]:
    """How near each row lies to the centroid of all, -1..1."""
    cosines: npt.NDArray[np.float64] = np.clip(rows @ centroid(rows)[0], -1.0, 1.0)
    return cosines


def settled_clusters(points: Points, density: Density, rules: ClusterRules) -> list[tuple[int, ...]]:
    """The clusters of points that hold, each as its members in order, the one with the first member first."""
    found: list[tuple[int, ...]] = []
    waiting = [(tuple(range(len(points.subjects))), rules.eps)]
    while waiting:
        members, eps = waiting.pop()
        if eps < _LEAST_EPS:
            continue
        for cluster in _dense(members, points.vectors, density, eps):
            parts = _parts(cluster, points, density, rules)
            if parts != [cluster]:
                waiting += [(part, eps) for part in parts]
            elif not _holds(cluster, points, rules):
                waiting.append((cluster, eps * rules.shrink))
            elif len(cluster) <= rules.most:
                found.append(cluster)
            elif _has_parts(cluster, points, density, eps * rules.shrink):
                waiting.append((cluster, eps * rules.shrink))
            else:  # alike throughout
                found += [each for each in _in_pieces(cluster, rules) if _holds(each, points, rules)]
    return sorted(each for each in found if len(each) >= rules.min_samples)


def topic_text(text: str, *, names: frozenset[str], wording: Wording) -> str:
    """What a text is about: its words in order, but for names and those without content; the text if nothing is left.

    Args:
        names: folded words of names that are known, beside those that capital letters show.
    """
    reading = read(text, wording)
    shown = {word for mention in capitalised_names(text) for word in mention.key.split()}
    left = [word for word in reading.words if word in reading.tokens and word not in names and word not in shown]
    return " ".join(left) or text


def cluster_key(ids: Iterable[MemoryId]) -> str:
    """What makes a cluster the same one again: the hash of its members, in any order."""
    return hashlib.sha256("\x1f".join(sorted(ids)).encode()).hexdigest()


def _dense(members: Sequence[int], rows: Rows, density: Density, eps: float) -> list[tuple[int, ...]]:
    """The groups of members that lie densely by these rows."""
    return [tuple(sorted(members[place] for place in places)) for places in density(rows[list(members)], eps)]


def _has_parts(cluster: Sequence[int], points: Points, density: Density, eps: float) -> bool:
    """Whether a smaller distance leaves at least half of a cluster in groups."""
    return eps >= _LEAST_EPS and 2 * sum(map(len, density(points.vectors[list(cluster)], eps))) >= len(cluster)


def _parts(cluster: tuple[int, ...], points: Points, density: Density, rules: ClusterRules) -> list[tuple[int, ...]]:
    """A cluster by subject, else, where it is one by its text, by topic; itself where it is of one of each."""
    parts: dict[Hashable, list[int]] = {}
    for point in cluster:
        parts.setdefault(points.subjects[point], []).append(point)
    if len(parts) > 1:
        return [tuple(part) for part in parts.values()]
    if _is_tight(cluster, points, rules) and not _is_of_one_topic(cluster, points, rules):
        return _dense(cluster, points.topics, density, rules.eps)
    return [cluster]


def _is_tight(cluster: Sequence[int], points: Points, rules: ClusterRules) -> bool:
    """Whether every member lies within the distance of the centroid."""
    cosines = cosines_to_centroid(points.vectors[list(cluster)])
    return float(cosines.min()) >= 1.0 - rules.eps - _TOLERANCE


def _is_of_one_topic(cluster: Sequence[int], points: Points, rules: ClusterRules) -> bool:
    """Whether every member's topic is near those of the others, on average: a centroid is near to whatever made it."""
    topics = points.topics[list(cluster)]
    to_others = (topics @ topics.sum(axis=0) - 1.0) / (len(cluster) - 1)
    return float(to_others.min()) >= rules.topic_cosine - _TOLERANCE


def _holds(cluster: Sequence[int], points: Points, rules: ClusterRules) -> bool:
    return _is_tight(cluster, points, rules) and _is_of_one_topic(cluster, points, rules)


def _in_pieces(cluster: tuple[int, ...], rules: ClusterRules) -> list[tuple[int, ...]]:
    """Members that are all alike and too many, as equal pieces in their order."""
    pieces = -(-len(cluster) // rules.most)
    return [tuple(int(each) for each in piece) for piece in np.array_split(np.array(cluster), pieces)]
