"""Laws of clusters, whatever is clustered."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_memory.domain.clustering import ClusterRules, Points, cosines_to_centroid, settled_clusters
from graph_memory.domain.distillation import merged_confidence, summary_text
from graph_memory.inference.clustering import DbscanClusterer

RULES = ClusterRules(most=6)


def density(rows, eps: float):
    return DbscanClusterer()(rows, eps=eps, min_samples=RULES.min_samples)


@st.composite
def points(draw: st.DrawFn) -> Points:
    """Up to forty points around a few directions, of a few subjects; some of them alike."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count, spread = draw(st.integers(0, 40)), draw(st.floats(0.0, 0.6))
    directions = random.normal(size=(draw(st.integers(1, 4)), 8))

    def rows() -> np.ndarray:
        drawn = directions[random.integers(0, len(directions), count)] + spread * random.normal(size=(count, 8))
        return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)

    vectors = rows()
    topics = vectors if draw(st.booleans()) else rows()
    return Points(vectors, topics, [str(each) for each in random.integers(0, draw(st.integers(1, 3)), count)])


@settings(max_examples=20)
@given(given_points=points())
def test_every_cluster_is_of_one_subject_tight_and_within_bounds_and_no_point_is_in_two(given_points: Points):
    found = settled_clusters(given_points, density, RULES)

    members = [member for cluster in found for member in cluster]
    assert len(members) == len(set(members))
    for cluster in found:
        assert RULES.min_samples <= len(cluster) <= RULES.most
        assert len({given_points.subjects[member] for member in cluster}) == 1
        assert cosines_to_centroid(given_points.vectors[list(cluster)]).min() >= 1.0 - RULES.eps - 1e-6
        topics = given_points.topics[list(cluster)]
        others = (topics @ topics.T).sum(axis=1) - 1.0
        assert others.min() / (len(cluster) - 1) >= RULES.topic_cosine - 1e-6


@settings(max_examples=20)
@given(given_points=points())
def test_the_same_points_give_the_same_clusters(given_points: Points):
    assert settled_clusters(given_points, density, RULES) == settled_clusters(given_points, density, RULES)


@given(text=st.text(max_size=1_500), most=st.integers(1, 600))
def test_a_summary_is_within_its_bound_and_begins_as_the_text_does(text: str, most: int):
    cut = summary_text(text, most=most)

    assert len(cut) <= most
    assert text.strip().startswith(cut.removesuffix("…").rstrip())


@given(first=st.floats(0.0, 1.0), second=st.floats(0.0, 1.0))
def test_merged_confidence_is_a_share_and_no_less_than_either(first: float, second: float):
    merged = merged_confidence(first, second)

    assert 0.0 <= merged <= 1.0
    assert merged >= max(first, second) - 1e-12
